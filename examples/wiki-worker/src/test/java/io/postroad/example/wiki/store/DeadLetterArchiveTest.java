package io.postroad.example.wiki.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.postroad.servers.MongoServer;
import java.time.Instant;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Creating and removing copies in {@code outbox_dead}. */
class DeadLetterArchiveTest {
  private final MongoClient client = MongoClients.create(MongoServer.shared().connectionString());
  private final WikiDatabase database =
      new WikiDatabase(client, MongoServer.shared().freshDatabase("wiki"));
  private final MongoCollection<Document> outbox = database.collection("outbox");
  private final MongoCollection<Document> copies = database.collection("outbox_dead");
  private final DeadLetterArchive archive = new DeadLetterArchive(database);

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void aCopiedEventIsNotWrittenAgainUntilItDiesAgain() {
    outbox.insertOne(dead("one").append("postroad_died_at", Instant.now()));
    outbox.insertOne(dead("of-another-program"));
    archive.runOnce();
    assertThat(copies.countDocuments()).isEqualTo(2);
    copies.updateMany(new Document(), new Document("$set", new Document("untouched", true)));

    archive.copyNew();
    archive.runOnce();
    assertThat(copies.countDocuments(new Document("untouched", true))).isEqualTo(2);

    outbox.updateOne(
        new Document("_id", "one"),
        new Document(
            "$set",
            new Document("last_error", "second")
                .append("postroad_died_at", Instant.now().plusSeconds(1))));
    archive.copyNew();
    assertThat(copies.find(new Document("_id", "one")).first())
        .containsEntry("last_error", "second")
        .doesNotContainKey("untouched");
  }

  @Test
  void theCopiesOfAllEventsThatAreNoLongerDeadAreRemoved() {
    outbox.insertOne(dead("still"));
    archive.runOnce();
    copies.insertMany(
        IntStream.range(0, 2_500).mapToObj(i -> new Document("_id", "gone-" + i)).toList());

    archive.clean();

    assertThat(copies.countDocuments()).isEqualTo(1);
  }

  private static Document dead(String id) {
    return new Document("_id", id)
        .append("status", "dead")
        .append("last_error", "first")
        .append("payload", new Document("page_id", "a"));
  }
}
