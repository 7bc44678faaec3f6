package io.postroad.faults;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import io.postroad.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/** A scene in PostgreSQL. */
final class PostgresScene extends Scene {
  private static final Duration AT_REST_WITHIN = Duration.ofMinutes(6);
  private static final String UNFINISHED =
      "SELECT count(*) FROM outbox WHERE status NOT IN ('DISPATCHED', 'FAILED') AND ";

  private final Sql sql;
  private final OpenOutbox<Connection> outbox;
  private final SqlLedger ledger;

  private PostgresScene(StoreKind kind, String jdbcUrl, String bootstrapServers, String topic)
      throws SQLException {
    super(kind, bootstrapServers, topic);
    Length.needs(Product.POSTGRESQL);
    this.sql = new Sql(jdbcUrl);
    this.outbox = new PostgresAddress(jdbcUrl).create(kind);
    this.ledger = SqlLedger.create(sql);
  }

  /** One with the competing outbox. */
  static PostgresScene on(PostgresServer postgres, KafkaServer kafka) throws SQLException {
    return of(StoreKind.COMPETING, postgres, kafka);
  }

  /** One with the ordered outbox. */
  static PostgresScene ordered(PostgresServer postgres, KafkaServer kafka) throws SQLException {
    return of(StoreKind.ORDERED, postgres, kafka);
  }

  static PostgresScene of(StoreKind kind, PostgresServer postgres, KafkaServer kafka)
      throws SQLException {
    String topic = newTopic();
    kafka.createTopic(topic, PARTITIONS);
    return new PostgresScene(
        kind, postgres.createDatabase("faults"), kafka.bootstrapServers(), topic);
  }

  /** One with the ordered outbox, whose messages go to any broker. */
  static PostgresScene orderedTo(Broker broker, PostgresServer postgres) throws SQLException {
    return new PostgresScene(
        StoreKind.ORDERED,
        postgres.createDatabase("faults"),
        broker.address(),
        broker.destination());
  }

  /** One with the ordered outbox and a topic with settings of its own. */
  static PostgresScene ordered(
      PostgresServer postgres, KafkaServer kafka, Map<String, String> topicSettings)
      throws Exception {
    String topic = newTopic();
    Topic.create(kafka.bootstrapServers(), topic, PARTITIONS, topicSettings);
    return new PostgresScene(
        StoreKind.ORDERED, postgres.createDatabase("faults"), kafka.bootstrapServers(), topic);
  }

  @Override
  DatabaseAddress database() {
    return new PostgresAddress(sql.jdbcUrl());
  }

  @Override
  Bookings<Connection> bookings() {
    return new Bookings<>(outbox.store(), ledger, topic());
  }

  OutboxStore<Connection> store() {
    return outbox.store();
  }

  Sql sql() {
    return sql;
  }

  @Override
  long delivered() throws SQLException {
    return kind() == StoreKind.ORDERED
        ? sql.number("SELECT sum(head) FROM outbox_position")
        : sql.number("SELECT count(*) FROM outbox WHERE status = 'DISPATCHED'");
  }

  /** The place of the ordered outbox that was drawn last. */
  long lastPlace() throws SQLException {
    return sql.number("SELECT COALESCE(pg_sequence_last_value('outbox_log_pos'), 0)");
  }

  @Override
  long unfinished() throws SQLException {
    return sql.number(UNFINISHED + "true");
  }

  /** Waits until every message that a condition on the view {@code outbox} names is at rest. */
  void awaitRestOf(String condition, Supplier<String> context) throws Exception {
    Eventually.await(
        AT_REST_WITHIN,
        () -> sql.number(UNFINISHED + condition) == 0,
        () -> "messages are stuck: " + statuses() + "; " + context.get());
  }

  @Override
  Set<UUID> committed() throws SQLException {
    return sql.ids("SELECT event_id FROM booking");
  }

  @Override
  Set<UUID> dead() throws SQLException {
    return sql.ids("SELECT outbox_id FROM outbox WHERE status = 'FAILED'");
  }

  @Override
  long leasedBy(String relay) throws SQLException {
    return sql.number("SELECT count(*) FROM outbox WHERE lease_owner = '" + relay + "'");
  }

  @Override
  Lane lane() throws SQLException {
    Map<String, String> row =
        sql.rows("SELECT COALESCE(node, '') AS node, epoch FROM outbox_lane WHERE lane = 0").get(0);
    return new Lane(row.getOrDefault("node", ""), Long.parseLong(row.getOrDefault("epoch", "")));
  }

  @Override
  List<String> positionsOf(long epoch) throws SQLException {
    return sql
        .rows("SELECT * FROM outbox_cursor WHERE epoch = %d ORDER BY step".formatted(epoch))
        .stream()
        .map(Map::toString)
        .toList();
  }

  @Override
  ChangeWatch watch() throws SQLException {
    return SqlWatch.start(sql);
  }

  /** Every column of every message's row, by message. */
  Map<UUID, Map<String, String>> rows() throws SQLException {
    Map<UUID, Map<String, String>> rows = new TreeMap<>();
    for (Map<String, String> row : sql.rows("SELECT * FROM outbox_queue")) {
      rows.put(UUID.fromString(row.getOrDefault("outbox_id", "")), row);
    }
    return rows;
  }

  @Override
  String statuses() {
    try {
      return sql.rows(
              "SELECT status, lease_owner, count(*), max(last_error) FROM outbox GROUP BY 1, 2")
          .toString();
    } catch (SQLException unreachable) {
      return unreachable.toString();
    }
  }

  @Override
  public void close() throws Exception {
    outbox.close();
  }
}
