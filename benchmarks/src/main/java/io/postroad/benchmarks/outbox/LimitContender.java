package io.postroad.benchmarks.outbox;

import io.postroad.message.MessageIds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The fastest that can be written by hand for the same guarantees: a table of what a consumer needs
 * and one index, plain inserts, and {@link LimitRelay}.
 */
final class LimitContender implements Contender {
  private static final String CREATE =
      """
      CREATE TABLE %s.outbox (
        pos bigserial PRIMARY KEY,
        id uuid NOT NULL,
        key text NOT NULL,
        type text NOT NULL,
        topic text NOT NULL,
        payload text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now())
      """;

  private static final String INSERT =
      "INSERT INTO %s.outbox (id, key, type, topic, payload) VALUES (?, ?, ?, ?, ?)";

  private final Arena arena;
  private final String insert;
  private final Producer<byte[], byte[]> producer;
  private volatile @Nullable LimitRelay relay;

  LimitContender(Arena arena) throws SQLException {
    this.arena = arena;
    this.insert = INSERT.formatted(arena.schema());
    try (Connection connection = arena.pool().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(CREATE.formatted(arena.schema()));
    }
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                arena.bootstrapServers(),
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.BATCH_SIZE_CONFIG,
                128 * 1024),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public void enqueue(Orders orders, Event event, Runnable beforeCommit) throws SQLException {
    try (Connection connection = arena.pool().getConnection()) {
      connection.setAutoCommit(false);
      orders.insert(connection, event);
      try (PreparedStatement statement = connection.prepareStatement(insert)) {
        bind(statement, event);
        statement.executeUpdate();
      }
      beforeCommit.run();
      connection.commit();
    }
    LimitRelay running = relay;
    if (running != null) {
      running.wakeUp();
    }
  }

  @Override
  public void fill(List<Event> events) throws SQLException {
    try (Connection connection = arena.pool().getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement statement = connection.prepareStatement(insert)) {
        for (Event event : events) {
          bind(statement, event);
          statement.addBatch();
        }
        statement.executeBatch();
      }
      connection.commit();
    }
  }

  private void bind(PreparedStatement statement, Event event) throws SQLException {
    statement.setObject(1, MessageIds.next());
    statement.setString(2, event.key());
    statement.setString(3, Event.TYPE);
    statement.setString(4, arena.topic());
    statement.setString(5, event.payload());
  }

  @Override
  public void startRelay() throws SQLException {
    LimitRelay starting = new LimitRelay(arena, producer);
    starting.start();
    relay = starting;
  }

  @Override
  public void stopRelay() {
    LimitRelay running = relay;
    relay = null;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
