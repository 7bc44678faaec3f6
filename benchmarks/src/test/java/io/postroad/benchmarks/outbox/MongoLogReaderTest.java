package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.postroad.servers.MongoServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Late commits are not skipped, and no event is read twice. */
class MongoLogReaderTest {
  private final MongoClient client = MongoClients.create(MongoServer.shared().connectionString());
  private final MongoDatabase database =
      client.getDatabase(MongoServer.shared().freshDatabase("mongolog"));
  private final MongoCollection<MongoRow> outbox = MongoLimit.createOutbox(database);
  private final ClientSession one = client.startSession();
  private final ClientSession two = client.startSession();
  private MongoLogReader log;
  private MongoLogPosition position;

  @BeforeEach
  void createLog() {
    MongoLogReader.createCursor(database);
    log = new MongoLogReader(client, database, outbox);
    position = log.load();
    one.startTransaction();
    two.startTransaction();
  }

  @AfterEach
  void disconnect() {
    one.close();
    two.close();
    client.close();
  }

  @Test
  void committedEventsAreReadOnceInOrder() {
    insert(one, 1, "a");
    insert(two, 2, "b");
    insert(one, 3, "c");
    two.commitTransaction();
    one.commitTransaction();

    assertThat(readOn()).containsExactly("a", "b", "c");
    assertThat(readOn()).isEmpty();
  }

  @Test
  void aLateCommitIsReadBeforeLaterEvents() {
    insert(one, 1, "late");
    insert(two, 2, "early");
    two.commitTransaction();
    assertThat(readOn()).containsExactly("early");
    assertThat(position.missing()).containsOnlyKeys(1L);

    two.startTransaction();
    insert(two, 3, "next");
    two.commitTransaction();
    one.commitTransaction();

    assertThat(readOn()).containsExactly("late", "next");
    assertThat(position.missing()).isEmpty();
    assertThat(readOn()).isEmpty();
  }

  @Test
  void aStoredPositionIncludesLateCommits() {
    insert(one, 1, "late");
    insert(two, 2, "early");
    two.commitTransaction();
    assertThat(readOn()).containsExactly("early");
    log.store(position);
    log.close();
    one.commitTransaction();

    log = new MongoLogReader(client, database, outbox);
    position = log.load();

    assertThat(readOn()).containsExactly("late");
  }

  @Test
  void rolledBackEventsAreNeverRead() {
    insert(one, 1, "never");
    insert(two, 2, "early");
    two.commitTransaction();
    assertThat(readOn()).containsExactly("early");

    one.abortTransaction();

    assertThat(readOn()).isEmpty();
  }

  @Test
  void onlyOneReaderIsAllowed() {
    MongoLogReader other = new MongoLogReader(client, database, outbox);
    assertThatThrownBy(other::load).hasMessageContaining("another reader has the lease");

    log.close();
    other.load();

    assertThatThrownBy(() -> log.store(position)).hasMessageContaining("lost its lease");
  }

  /** Reads on and returns the keys that a broker would get, in order. */
  private List<String> readOn() {
    MongoLogChunk chunk = log.read(position);
    position = chunk.position();
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer())) {
      chunk.messages().send(producer);
      return producer.history().stream()
          .map(message -> new String(message.key(), StandardCharsets.UTF_8))
          .toList();
    }
  }

  private void insert(ClientSession session, long pos, String key) {
    outbox.insertOne(
        session, new MongoRow(pos, UUID.randomUUID(), key, "type", "topic", "payload"));
  }
}
