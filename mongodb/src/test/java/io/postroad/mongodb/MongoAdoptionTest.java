package io.postroad.mongodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.layout.Adoption;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looking at a collection, and running on it as the report says. */
class MongoAdoptionTest {
  private AdoptedDatabase database;

  @BeforeEach
  void create() {
    database = AdoptedDatabase.recurringRules();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void insert(String collection, String document) {
    database
        .database()
        .getCollection(collection, BsonDocument.class)
        .insertOne(BsonDocument.parse(document));
  }

  private void insertRule(String status) {
    insert(
        AdoptedDatabase.TABLE,
        """
        {aggregateType: "RecurringRule", aggregateId: "RR10000001", eventType: "RuleCreatedEvent",
         payload: {ruleId: "RR10000001"}, status: "%s", targetTopic: "recurring_rules",
         createdAt: {$date: "2026-01-05T10:30:00Z"}, retryCount: 0, maxRetries: 5}
        """
            .formatted(status));
  }

  private void insertNotice(String state) {
    insert(
        "parcelNotices",
        """
        {eventName: "ParcelArrived", channel: "notices", body: {parcel: "P-17"}, state: "%s",
         tries: 0, insertedAt: {$date: "2026-01-05T10:30:00Z"}}
        """
            .formatted(state));
  }

  private Adoption look(String collection) {
    return MongoAdoption.look(database.client(), database.options().database(), collection);
  }

  @Test
  void aShippedLayoutIsRecognised() {
    insertRule("PENDING");
    insertRule("PENDING");
    insertRule("SENT");

    Adoption adoption = look(AdoptedDatabase.TABLE);

    assertThat(adoption.problems()).isEmpty();
    assertThat(adoption.layout()).contains(Layouts.recurringRules());
    assertThat(adoption.report())
        .contains("recurring-rules", "PENDING", "2", "idx_outbox_sent_ttl", "createIndexes");
  }

  @Test
  void aCollectionThatNobodyKnowsIsGuessedAndRuns() {
    insertNotice("NEW");
    insertNotice("SENT");
    insertNotice("FAILED");
    long indexes = indexes();

    Adoption adoption = look("parcelNotices");

    assertThat(indexes()).as("looking changes nothing").isEqualTo(indexes);
    assertThat(adoption.problems()).isEmpty();
    Layout layout = adoption.layout().orElseThrow();
    assertThat(layout.column(Field.TYPE)).contains("eventName");
    assertThat(layout.column(Field.DESTINATION)).contains("channel");
    assertThat(layout.statuses().all()).contains("NEW", "SENT", "FAILED");
    try (MongoCompetingStore store =
        database.open(layout, database.options().withSchemaMode(SchemaMode.MIGRATE))) {
      List<Claim> claims = AdoptedDatabase.claim(store, 10);
      assertThat(claims)
          .extracting(claim -> claim.message().destination())
          .containsExactly("notices");
    }
    assertThat(look("parcelNotices").migration()).as("nothing is missing any more").isEmpty();
  }

  private long indexes() {
    return database
        .database()
        .getCollection("parcelNotices")
        .listIndexes()
        .into(new ArrayList<>())
        .size();
  }

  @Test
  void whatCannotBeIsSaid() {
    insert("flags", "{payload: {}, topic: 't', published: true}");

    Adoption adoption = look("flags");

    assertThat(adoption.isPossible()).isFalse();
    assertThat(adoption.report()).contains("published");
  }

  @Test
  void aLayoutOfOnesOwnIsChecked() {
    insertNotice("HALTED");
    Layout layout = Layouts.recurringRules().withTable("parcelNotices");

    Adoption adoption =
        MongoAdoption.look(database.client(), database.options().database(), layout);

    assertThat(adoption.isPossible()).isFalse();
    assertThat(adoption.report()).contains("targetTopic");
  }

  @Test
  void theMainPrintsTheReport() {
    insertNotice("NEW");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String server = MongoServer.shared().connectionString();
    String address =
        server.replaceFirst("(mongodb://[^/]+)/?", "$1/" + database.options().database());

    assertThat(run(out, err, address, "parcelNotices")).as(err.toString(UTF_8)).isZero();
    assertThat(out.toString(UTF_8)).contains("eventName");
    assertThat(run(out, err, server.replaceFirst("(mongodb://[^/]+)/[^?]*", "$1/"), "x"))
        .isEqualTo(2);
    assertThat(run(out, err, "nowhere", "x")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("usage");
  }

  private static int run(ByteArrayOutputStream out, ByteArrayOutputStream err, String... line) {
    return AdoptMain.run(
        line, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }
}
