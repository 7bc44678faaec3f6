package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.Producer;

/** The limits on PostgreSQL: plain inserts of the data that a consumer needs. */
final class PostgresLimit implements LimitContender.Design {
  private static final String INSERT =
      "INSERT INTO %s.outbox (id, key, type, topic, payload) VALUES (?, ?, ?, ?, ?)";

  private final PostgresArena arena;
  private final RelayFactory relays;
  private final int requestsInFlight;
  private final String insert;

  /** Creates the work of a relay. */
  @FunctionalInterface
  private interface RelayFactory {
    LimitRelay.Work begin(PostgresArena arena, Producer<byte[], byte[]> producer)
        throws SQLException;
  }

  private PostgresLimit(
      PostgresArena arena, String create, RelayFactory relays, int requestsInFlight)
      throws SQLException {
    this.arena = arena;
    this.relays = relays;
    this.requestsInFlight = requestsInFlight;
    this.insert = INSERT.formatted(arena.schema());
    try (Connection connection = arena.pool().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(create.formatted(arena.schema()));
    }
  }

  /** Creates a queue, which deletes rows as they are sent. */
  static Contender queue(PostgresArena arena) throws SQLException {
    return new LimitContender(
        arena.topic(),
        new PostgresLimit(arena, PostgresQueueBatch.CREATE, PostgresQueueRelay::new, 5));
  }

  /** Creates a log, which only inserts rows; one other row has the position of the relay. */
  static Contender log(PostgresArena arena) throws SQLException {
    return new LimitContender(
        arena.topic(), new PostgresLimit(arena, PostgresLog.CREATE, PostgresLogRelay::new, 1));
  }

  @Override
  public void enqueue(Event event, Runnable beforeCommit) throws SQLException {
    try (Connection connection = arena.pool().getConnection()) {
      connection.setAutoCommit(false);
      arena.orders().insert(connection, event);
      try (PreparedStatement statement = connection.prepareStatement(insert)) {
        bind(statement, event);
        statement.executeUpdate();
      }
      beforeCommit.run();
      connection.commit();
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
    statement.setString(4, arena.topic().name());
    statement.setString(5, event.payload());
  }

  @Override
  public LimitRelay.Work relay(Producer<byte[], byte[]> producer) throws SQLException {
    return relays.begin(arena, producer);
  }

  @Override
  public int requestsInFlight() {
    return requestsInFlight;
  }
}
