package io.postroad.mongodb.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.TestDatabase;
import io.postroad.store.Finding;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What only MongoDB knows about an outbox that is not well. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DiagnosticsTest {
  private TestDatabase database;

  @BeforeAll
  void create() {
    database = TestDatabase.migrated("examine");
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void anOpenTransactionIsNamedWithItsClientAndAge() {
    try (ClientSession session = database.client().startSession()) {
      session.startTransaction();
      database
          .client()
          .getDatabase(database.options().database())
          .getCollection("mine", BsonDocument.class)
          .insertOne(session, new BsonDocument("a", new BsonInt32(1)));

      assertThat(examine(Duration.ZERO))
          .filteredOn(finding -> finding.code().equals("old-transaction"))
          .isNotEmpty()
          .allSatisfy(
              finding -> assertThat(finding.what()).containsPattern("client \\S+:\\d+ .*open for"));
      assertThat(examine(Diagnostics.OLD)).as("not for long").isEmpty();
      session.abortTransaction();
    }
  }

  @Test
  void aMissingIndexIsAFinding() {
    TestDatabase damaged = TestDatabase.migrated("damaged");
    try (damaged;
        MongoCompetingStore store = damaged.open()) {
      damaged.database().collection(Names.OUTBOX).dropIndexes();

      assertThat(store.examine())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.code()).isEqualTo("schema");
                assertThat(finding.what()).contains("missing");
              });
    }
  }

  @Test
  void aShortWindowCountsOnlyWhenTheOplogIsFull() {
    assertThat(Diagnostics.oplogWindow(0.5, Duration.ofMinutes(5))).as("young").isEmpty();
    assertThat(Diagnostics.oplogWindow(1, Duration.ofDays(2))).as("long").isEmpty();
    assertThat(Diagnostics.oplogWindow(0.95, Duration.ofMinutes(5)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.code()).isEqualTo("oplog-window");
              assertThat(finding.what()).contains("PT5M");
            });
  }

  private List<Finding> examine(Duration old) {
    return new Diagnostics(database.database(), List::of, old).examine();
  }
}
