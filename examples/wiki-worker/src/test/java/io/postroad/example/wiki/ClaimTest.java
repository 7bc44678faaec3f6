package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.postroad.outbox.OutboxSignal;
import io.postroad.servers.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Sections 10.2 and 10.5: the fields of a claim, and the parts of a transaction. */
class ClaimTest {

  /** The outbox refuses new events, so the edit is not stored. */
  @Test
  void anEditIsNotStoredIfItsEventsCannotBeStored() throws Exception {
    try (RunningWiki wiki = RunningWiki.start(Map.of())) {
      wiki.validate("outbox", new Document("status", new Document("$ne", "new")));

      assertThat(wiki.save("torn", 0, "Torn", "text").statusCode()).isEqualTo(500);

      assertThat(wiki.collection("page_revisions").countDocuments()).isZero();
      wiki.validate("outbox", new Document());
      wiki.write("torn", 0, "Torn", "text");
    }
  }

  /**
   * The outbox refuses every settle, so the work of the handler is rolled back, and the event stays
   * claimed.
   */
  @Test
  void aClaimHasItsOwnerAndEndAndWorkIsRolledBackIfItCannotBeSettled() throws Exception {
    try (RunningWiki wiki =
        RunningWiki.start(Map.of("WORKER_ID", "node-7", "OUTBOX_LEASE_SECONDS", "777"))) {
      wiki.validate(
          "outbox", new Document("status", new Document("$in", List.of("new", "processing"))));

      assertThat(wiki.save("held", 0, "Held", "text").statusCode()).isEqualTo(201);
      var unused =
          wiki.signals()
              .await(OutboxSignal.StoreFailed.class, 2, signal -> signal.verb().equals("settle"));

      assertThat(wiki.collection("page_snapshots").countDocuments()).isZero();
      assertThat(wiki.collection("search_index").countDocuments()).isZero();
      Document event = wiki.event("wiki:held:1");
      assertThat(event)
          .containsEntry("status", "processing")
          .containsEntry("lease_owner", "node-7");
      assertThat(event.get("attempts", Number.class).intValue()).isEqualTo(1);
      Duration lease = Duration.ofSeconds(777);
      assertThat(event.getDate("lease_until").toInstant())
          .isBetween(
              event.getDate("created_at").toInstant().plus(lease), Instant.now().plus(lease));
    }
  }

  /** Neither ids nor insertion have the order of the due times. */
  @Test
  void theEventThatIsDueLongestIsClaimedFirst() throws Exception {
    String database = MongoServer.shared().freshDatabase("wiki");
    try (MongoClient client = MongoClients.create(MongoServer.shared().connectionString())) {
      MongoCollection<Document> outbox = client.getDatabase(database).getCollection("outbox");
      outbox.insertOne(due("a", 10));
      outbox.insertOne(due("b", 30));
      outbox.insertOne(due("c", 20));
    }
    try (RunningWiki wiki =
        RunningWiki.start(MongoServer.shared(), database, Map.of("WORKER_CONCURRENCY", "1"))) {
      assertThat(List.of(died(wiki, 1), died(wiki, 2), died(wiki, 3)))
          .containsExactly(Events10.id("b"), Events10.id("c"), Events10.id("a"));
    }
  }

  /** Returns an event of a missing page, which dies at its first attempt. */
  private static Document due(String id, long secondsAgo) {
    Instant due = Instant.now().minusSeconds(secondsAgo);
    return Events10.document(id, "wiki", "nowhere", 1)
        .append("created_at", due)
        .append("next_retry_at", due);
  }

  private static Object died(RunningWiki wiki, int count) throws InterruptedException {
    return wiki.signals().await(OutboxSignal.Died.class, count, signal -> true).message().id();
  }
}
