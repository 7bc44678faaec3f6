package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.servers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Late commits are not skipped, and no event is read twice. */
class PostgresLogTest {
  private final String jdbcUrl = PostgresServer.shared().createDatabase("limitlog");
  private Connection one;
  private Connection two;
  private PostgresLog log;
  private PostgresLogPosition position;

  @BeforeEach
  void createLog() throws SQLException {
    one = DriverManager.getConnection(jdbcUrl);
    two = DriverManager.getConnection(jdbcUrl);
    try (Statement statement = one.createStatement()) {
      statement.execute(PostgresLog.CREATE.formatted("public"));
    }
    one.setAutoCommit(false);
    two.setAutoCommit(false);
    log = new PostgresLog(DriverManager.getConnection(jdbcUrl), "public");
    position = log.load();
  }

  @AfterEach
  void disconnect() throws SQLException {
    log.close();
    one.close();
    two.close();
  }

  @Test
  void committedEventsAreReadOnceInOrder() throws SQLException {
    insert(one, "a", "b");
    insert(two, "c");
    two.commit();
    one.commit();

    assertThat(readOn()).containsExactly("a", "b", "c");
    assertThat(readOn()).isEmpty();
  }

  @Test
  void aTransactionInTheListOfTheSnapshotIsReadWhenItCommits() throws SQLException {
    insert(one, "late");
    insert(two, "early");
    two.commit();
    assertThat(readOn()).containsExactly("early");
    assertThat(position.snapshot()).doesNotEndWith(":");

    one.commit();

    assertThat(readOn()).containsExactly("late");
    assertThat(readOn()).isEmpty();
  }

  @Test
  void aTransactionAboveTheXmaxOfTheSnapshotIsReadWhenItCommits() throws SQLException {
    assignXid(two);
    insert(one, "late");
    insert(two, "early");
    two.commit();
    assertThat(readOn()).containsExactly("early");
    assertThat(position.snapshot()).as("it is in no list").endsWith(":");

    one.commit();

    assertThat(readOn()).containsExactly("late");
    assertThat(readOn()).isEmpty();
  }

  @Test
  void lateCommitsAreReadBeforeRowsAfterTheHead() throws SQLException {
    insert(one, "late");
    insert(two, "early");
    two.commit();
    assertThat(readOn()).containsExactly("early");

    insert(two, "next");
    two.commit();
    one.commit();

    assertThat(readOn()).containsExactly("late", "next");
  }

  @Test
  void aStoredPositionIncludesLateCommits() throws SQLException {
    insert(one, "late");
    insert(two, "early");
    two.commit();
    assertThat(readOn()).containsExactly("early");
    log.store(position);
    log.close();
    one.commit();

    log = new PostgresLog(DriverManager.getConnection(jdbcUrl), "public");
    position = log.load();

    assertThat(readOn()).containsExactly("late");
  }

  @Test
  void rolledBackEventsAreNeverRead() throws SQLException {
    insert(one, "never");
    insert(two, "early");
    two.commit();
    assertThat(readOn()).containsExactly("early");

    one.rollback();

    assertThat(readOn()).isEmpty();
  }

  /** Reads on and returns the keys that a broker would get, in order. */
  private List<String> readOn() throws SQLException {
    PostgresLogChunk chunk = log.read(position);
    position = chunk.position();
    try (MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer())) {
      chunk.messages().send(producer);
      return producer.history().stream()
          .map(message -> new String(message.key(), StandardCharsets.UTF_8))
          .toList();
    }
  }

  private static void assignXid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_current_xact_id()");
    }
  }

  private static void insert(Connection connection, String... keys) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            INSERT INTO outbox (id, key, type, topic, payload)
            VALUES (gen_random_uuid(), ?, 'type', 'topic', 'payload')
            """)) {
      for (String key : keys) {
        statement.setString(1, key);
        statement.executeUpdate();
      }
    }
  }
}
