package io.postroad.example.rules.infrastructure.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneOptions;
import io.postroad.mongodb.MongoSequence;
import io.postroad.servers.MongoServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Migrations of an empty database, of an older version, and repeated ones. */
class MigrationsTest {
  private static final MongoClient CLIENT =
      MongoClients.create(MongoServer.shared().connectionString());

  @SuppressWarnings("NullAway.Init")
  private MongoDatabase database;

  @SuppressWarnings("NullAway.Init")
  private MongoCollection<Document> rules;

  @BeforeEach
  void database() {
    database = CLIENT.getDatabase(MongoServer.shared().freshDatabase("migrated"));
    rules = database.getCollection("recurring_rules");
  }

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  @Test
  void theSequenceBeginsAfterTenMillionAndIsNotResetLater() {
    new Migrations(database).run();
    SequenceIds ids = new SequenceIds(database);
    assertThat(ids.nextRule().id()).isEqualTo("RR10000001");
    assertThat(ids.nextAmountChange().id()).isEqualTo("AC10000001");
    new Migrations(database).run();
    assertThat(ids.nextRule().id()).isEqualTo("RR10000002");
    assertThat(new MongoSequence(database, "cash_change_ids", "cash_change").next())
        .isEqualTo(10000001L);
    assertThat(
            database
                .getCollection("recurring_rule_ids")
                .find(new Document("_id", "recurring_rule"))
                .first())
        .isEqualTo(new Document("_id", "recurring_rule").append("sequence", 10000002L));
  }

  /** The team's program has used numbers without a sequence. */
  @Test
  void numbersOfAdoptedRulesAreNotUsedAgain() {
    rules.insertOne(
        old("RR10000041")
            .append(
                "amountChanges",
                List.of(
                    new Document("changeId", "AC10000002"), new Document("changeId", "AC10000001")))
            .append(
                "executions",
                new Document(
                    "2026-01-10",
                    execution("SUCCESS", "2026-01-10T06:00:00Z")
                        .append("generatedCashChangeId", "CC10000077"))));
    new Migrations(database).run();
    SequenceIds ids = new SequenceIds(database);
    assertThat(ids.nextRule().id()).isEqualTo("RR10000042");
    assertThat(ids.nextAmountChange().id()).isEqualTo("AC10000003");
    assertThat(new MongoSequence(database, "cash_change_ids", "cash_change").next())
        .isEqualTo(10000078L);
  }

  /**
   * With an old rule, an index to be replaced, and an index with the right key and another name.
   */
  @RepeatedTest(5)
  void severalNodesCanMigrateAtOnce() {
    rules.insertOne(old("RR10000001").append("version", 5.0));
    var replaced =
        rules.createIndex(
            Document.parse("{'executions.status': 1, lastModifiedAt: -1}"),
            new IndexOptions().name("idx_recurring_rules_failed_executions"));
    var renamed =
        rules.createIndex(
            Document.parse("{userId: 1, status: 1}"), new IndexOptions().name("by_user"));
    List<CompletableFuture<Void>> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nodes.add(CompletableFuture.runAsync(() -> new Migrations(database).run()));
    }
    CompletableFuture.allOf(nodes.toArray(CompletableFuture[]::new)).join();
    assertThat(rules.listIndexes().into(new ArrayList<>())).hasSize(9);
    assertThat(index("recurring_rules", replaced))
        .containsEntry("key", Document.parse("{lastFailedAt: 1, lastModifiedAt: -1}"));
    assertThat(rules.listIndexes().map(each -> each.getString("name")).into(new ArrayList<>()))
        .contains("idx_recurring_rules_user_status")
        .doesNotContain(renamed);
    assertThat(rule("RR10000001")).containsEntry("version", 5L);
  }

  /** Documents without a version and with an old field name, in a collection with a validator. */
  @Test
  void oldRulesAreUpgraded() {
    new Migrations(database).run();
    rules.insertMany(
        List.of(
            old("RR10000001"),
            old("RR10000002").append("version", 3),
            old("RR10000003")
                .append(
                    "executions",
                    new Document("2026-01-10", execution("SUCCESS", "2026-01-10T06:00:00Z"))
                        .append("2026-03-10", execution("FAILED", "2026-03-10T06:00:30Z")))),
        new InsertManyOptions().bypassDocumentValidation(true));
    new Migrations(database).run();
    Document first = rule("RR10000001");
    assertThat(first)
        .doesNotContainKey("amount")
        .containsEntry(
            "baseAmount",
            new Document("amount", Decimal128.parse("8500.00")).append("currency", "PLN"))
        .containsEntry("version", 0L)
        .containsEntry("dueFrom", date("2026-01-10T00:00:00Z"));
    assertThat(rule("RR10000002")).containsEntry("version", 3L);
    assertThat(rule("RR10000003"))
        .containsEntry("lastFailedAt", date("2026-03-10T06:00:30Z"))
        .containsEntry("dueFrom", date("2026-03-11T00:00:00Z"));
    new Migrations(database).run();
    assertThat(rule("RR10000001")).isEqualTo(first);
    // Strict again, also for old documents.
    assertThatThrownBy(() -> rules.insertOne(old("RR10000009")))
        .isInstanceOf(MongoWriteException.class);
  }

  /**
   * Shows why the scripts of the specification cannot run one after the other with their validator.
   */
  @Test
  void noStepOfTheSpecificationRunsAloneWithItsValidator() {
    new Migrations(database).run();
    rules.insertOne(old("RR10000001"), new InsertOneOptions().bypassDocumentValidation(true));
    assertThatThrownBy(
            () ->
                rules.updateMany(
                    new Document(), Document.parse("{$set: {version: {$numberLong: '0'}}}")))
        .isInstanceOf(MongoWriteException.class);
    assertThatThrownBy(
            () ->
                rules.updateMany(
                    new Document(), Document.parse("{$rename: {amount: 'baseAmount'}}")))
        .isInstanceOf(MongoWriteException.class);
  }

  @Test
  void indexesOfAnOlderVersionAreReplaced() {
    var plain =
        database
            .getCollection("outbox")
            .createIndex(
                Document.parse("{status: 1, createdAt: 1}"),
                new IndexOptions().name("idx_outbox_pending"));
    var useless =
        rules.createIndex(
            Document.parse("{'executions.status': 1, lastModifiedAt: -1}"),
            new IndexOptions().name("idx_recurring_rules_failed_executions"));
    new Migrations(database).run();
    assertThat(index("outbox", plain)).containsKey("partialFilterExpression");
    assertThat(index("recurring_rules", useless))
        .containsEntry("key", Document.parse("{lastFailedAt: 1, lastModifiedAt: -1}"));
  }

  private Document index(String collection, String name) {
    return database.getCollection(collection).listIndexes().into(new ArrayList<>()).stream()
        .filter(each -> each.getString("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Document rule(String id) {
    return Objects.requireNonNull(rules.find(new Document("_id", id)).first());
  }

  private static Document old(String id) {
    return new Document("_id", id)
        .append("cashFlowId", "CF10000001")
        .append("userId", "U10000001")
        .append("name", "Wynagrodzenie")
        .append(
            "amount", new Document("amount", Decimal128.parse("8500.00")).append("currency", "PLN"))
        .append("type", "INFLOW")
        .append("categoryName", "Salary")
        .append("recurrencePattern", Document.parse("{type: 'DAILY', intervalDays: 1}"))
        .append("startDate", date("2026-01-10T00:00:00Z"))
        .append("status", "ACTIVE")
        .append("createdAt", date("2026-01-05T10:30:00Z"))
        .append("lastModifiedAt", date("2026-01-05T10:30:00Z"));
  }

  private static Document execution(String status, String at) {
    return new Document("status", status).append("executedAt", date(at));
  }

  private static Date date(String instant) {
    return Date.from(Instant.parse(instant));
  }
}
