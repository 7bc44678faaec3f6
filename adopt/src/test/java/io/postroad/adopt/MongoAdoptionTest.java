package io.postroad.adopt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Inspects collections, and runs on one as the report says. */
class MongoAdoptionTest {
  private static final String RULES = "outbox";

  private MongoClient client;
  private MongoDatabase database;

  @BeforeEach
  void create() {
    client = MongoClients.create(MongoServer.shared().connectionString());
    database = client.getDatabase(MongoServer.shared().freshDatabase("adopt"));
    // The index of the recurring rules' specification that removes sent messages.
    database.runCommand(
        Document.parse(
            """
            {createIndexes: "outbox", indexes: [
              {key: {processedAt: 1}, name: "idx_outbox_sent_ttl", expireAfterSeconds: 604800,
               partialFilterExpression: {status: "SENT"}}]}
            """));
  }

  @AfterEach
  void close() {
    database.drop();
    client.close();
  }

  private void insert(String collection, String document) {
    database.getCollection(collection, BsonDocument.class).insertOne(BsonDocument.parse(document));
  }

  private void insertRule(String status) {
    insert(
        RULES,
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

  private Adoption inspect(String collection) {
    return MongoAdoption.inspect(client, database.getName(), collection);
  }

  @Test
  void aShippedLayoutIsRecognised() {
    insertRule("PENDING");
    insertRule("PENDING");
    insertRule("SENT");

    Adoption adoption = inspect(RULES);

    assertThat(adoption.problems()).isEmpty();
    assertThat(adoption.layout()).contains(Layouts.recurringRules());
    assertThat(adoption.report())
        .contains("recurring-rules", "PENDING", "2", "idx_outbox_sent_ttl", "createIndexes");
  }

  @Test
  void anUnknownCollectionIsGuessedAndRuns() {
    insertNotice("NEW");
    insertNotice("SENT");
    insertNotice("FAILED");
    long indexes = indexes();

    Adoption adoption = inspect("parcelNotices");

    assertThat(indexes()).as("an inspection changes nothing").isEqualTo(indexes);
    assertThat(adoption.problems()).isEmpty();
    Layout layout = adoption.layout().orElseThrow();
    assertThat(layout.column(Field.TYPE)).contains("eventName");
    assertThat(layout.column(Field.DESTINATION)).contains("channel");
    assertThat(layout.statuses().all()).contains("NEW", "SENT", "FAILED");
    MongoOptions options =
        MongoOptions.defaults().withDatabase(database.getName()).withSchemaMode(SchemaMode.MIGRATE);
    try (MongoCompetingStore store = MongoCompetingStore.open(client, options, layout)) {
      List<Claim> claims = store.claim(new ClaimRequest("node", 10, Duration.ofMinutes(1)));
      assertThat(claims)
          .extracting(claim -> claim.message().destination())
          .containsExactly("notices");
    }
    assertThat(inspect("parcelNotices").migration()).as("nothing is missing any more").isEmpty();
  }

  private long indexes() {
    return database.getCollection("parcelNotices").listIndexes().into(new ArrayList<>()).size();
  }

  @Test
  void anUnusableCollectionIsRefusedWithTheReason() {
    insert("flags", "{payload: {}, topic: 't', published: true}");

    Adoption adoption = inspect("flags");

    assertThat(adoption.isPossible()).isFalse();
    assertThat(adoption.report()).contains("published");
  }

  @Test
  void aLayoutWrittenByHandIsChecked() {
    insertNotice("HALTED");
    Layout layout = Layouts.recurringRules().withTable("parcelNotices");

    Adoption adoption = MongoAdoption.inspect(client, database.getName(), layout);

    assertThat(adoption.isPossible()).isFalse();
    assertThat(adoption.report()).contains("targetTopic");
  }

  @Test
  void theMainPrintsTheReport() {
    insertNotice("NEW");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String server = MongoServer.shared().connectionString();
    String address = server.replaceFirst("(mongodb://[^/]+)/?", "$1/" + database.getName());

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
