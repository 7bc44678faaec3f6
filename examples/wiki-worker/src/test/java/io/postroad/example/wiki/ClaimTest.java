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

/** Sections 10.2 and 10.5: what a claim writes, and what is one transaction. */
class ClaimTest {

  /** The outbox takes nothing new: then nothing of the edit is there. */
  @Test
  void anEditWhoseEventsCannotBeStoredIsNotStored() throws Exception {
    try (RunningWiki wiki = RunningWiki.start(Map.of())) {
      wiki.validate("outbox", new Document("status", new Document("$ne", "new")));

      assertThat(wiki.save("torn", 0, "Torn", "text").statusCode()).isEqualTo(500);

      assertThat(wiki.collection("page_revisions").countDocuments()).isZero();
      wiki.validate("outbox", new Document());
      wiki.write("torn", 0, "Torn", "text");
    }
  }

  /**
   * The outbox takes no end of any kind: so the work of a handler that has run is not there, and
   * the event stays as its claim has left it.
   */
  @Test
  void aClaimNamesItsOwnerAndItsEndAndWorkThatCannotBeSettledIsUndone() throws Exception {
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

  /** Their ids and their place in the collection say otherwise. */
  @Test
  void theLongestDueIsClaimedFirst() throws Exception {
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

  /** An event of a page that there is not, which is dead as soon as somebody has it. */
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
