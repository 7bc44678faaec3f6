package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The fastest that can be written by hand for the same guarantees, in two designs: plain inserts
 * into a table of what a consumer needs, and a relay in this process that is woken by each commit.
 */
final class LimitContender implements Contender {
  private static final String INSERT =
      "INSERT INTO %s.outbox (id, key, type, topic, payload) VALUES (?, ?, ?, ?, ?)";

  private final Arena arena;
  private final String insert;
  private final Producer<byte[], byte[]> producer;
  private final Design design;
  private volatile @Nullable LimitRelay relay;

  private LimitContender(Arena arena, Design design) throws SQLException {
    this.arena = arena;
    this.design = design;
    this.insert = INSERT.formatted(arena.schema());
    try (Connection connection = arena.pool().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(design.create().formatted(arena.schema()));
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

  /** Rows are deleted as they are sent. */
  static LimitContender queue(Arena arena) throws SQLException {
    return new LimitContender(arena, new Design(LimitQueueBatch.CREATE, LimitQueueRelay::new));
  }

  /** Rows are only inserted; how far the relay is stands in one row beside them. */
  static LimitContender log(Arena arena) throws SQLException {
    return new LimitContender(arena, new Design(LimitLog.CREATE, LimitLogRelay::new));
  }

  private record Design(String create, LimitRelay.Factory work) {}

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
    ThreadLocalRandom random = ThreadLocalRandom.current();
    statement.setObject(1, new UUID(random.nextLong(), random.nextLong()));
    statement.setString(2, event.key());
    statement.setString(3, Event.TYPE);
    statement.setString(4, arena.topic());
    statement.setString(5, event.payload());
  }

  @Override
  public void startRelay() throws SQLException {
    LimitRelay starting = new LimitRelay(design.work().begin(arena, producer));
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
