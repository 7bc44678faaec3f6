package io.postroad.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresOptions;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import io.postroad.store.OutboxStore;
import io.postroad.store.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A database with an outbox and a business table, and a topic, both fresh.
 *
 * <p>Its questions go to the database over connections of their own: nothing here believes a pool,
 * a store or a relay.
 */
final class Scene implements AutoCloseable {
  private static final int PARTITIONS = 3;
  private static final Duration DELIVERS_WITHIN = Duration.ofMinutes(2);
  private static final Duration AT_REST_WITHIN = Duration.ofMinutes(3);

  private final StoreKind kind;
  private final Sql sql;
  private final String bootstrapServers;
  private final String topic;
  private final HikariDataSource pool;
  private final OutboxStore<Connection> store;

  private Scene(StoreKind kind, String jdbcUrl, String bootstrapServers, String topic)
      throws SQLException {
    this.kind = kind;
    this.sql = new Sql(jdbcUrl);
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.pool = Pools.open(jdbcUrl, "scene");
    this.store = kind.open(pool, PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE));
    sql.execute("CREATE TABLE booking (event_id uuid PRIMARY KEY, account text NOT NULL)");
  }

  /** One with the competing outbox. */
  static Scene on(PostgresServer postgres, KafkaServer kafka) throws SQLException {
    return of(StoreKind.COMPETING, postgres, kafka);
  }

  /** One with the ordered outbox. */
  static Scene ordered(PostgresServer postgres, KafkaServer kafka) throws SQLException {
    return of(StoreKind.ORDERED, postgres, kafka);
  }

  private static Scene of(StoreKind kind, PostgresServer postgres, KafkaServer kafka)
      throws SQLException {
    String topic = "bookings-" + UUID.randomUUID();
    kafka.createTopic(topic, PARTITIONS);
    return new Scene(kind, postgres.createDatabase("faults"), kafka.bootstrapServers(), topic);
  }

  /** One with the ordered outbox and a topic with settings of its own. */
  static Scene ordered(
      PostgresServer postgres, KafkaServer kafka, Map<String, String> topicSettings)
      throws Exception {
    String topic = "bookings-" + UUID.randomUUID();
    Topic.create(kafka.bootstrapServers(), topic, PARTITIONS, topicSettings);
    return new Scene(
        StoreKind.ORDERED, postgres.createDatabase("faults"), kafka.bootstrapServers(), topic);
  }

  Bookings bookings() {
    return new Bookings(store, topic);
  }

  OutboxStore<Connection> store() {
    return store;
  }

  Sql sql() {
    return sql;
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  /** Starts a relay on the competing outbox whose leases are as short as they may be: 5 s. */
  RelayChild startRelay(String name) {
    return startRelay(name, Duration.ofMillis(500), HoldUp.NONE);
  }

  RelayChild startRelay(String name, Duration leaseMargin, HoldUp holdUp) {
    return RelayChild.start(
        new RelayArgs(name, sql.jdbcUrl(), bootstrapServers, leaseMargin, holdUp));
  }

  /** Waits until so many more messages are delivered. */
  void awaitMoreDelivered(int messages, Seed seed) throws Exception {
    long wanted = delivered() + messages;
    Eventually.await(
        DELIVERS_WITHIN,
        () -> delivered() >= wanted,
        () -> "expected %d delivered: %s; %s".formatted(wanted, statuses(), seed));
  }

  /** Places of the ordered outbox are counted, since few of them are left free. */
  private long delivered() throws SQLException {
    return kind == StoreKind.ORDERED
        ? sql.number("SELECT sum(head) FROM outbox_position")
        : sql.number("SELECT count(*) FROM outbox WHERE status = 'DISPATCHED'");
  }

  /** Waits until everything that was appended by now, and can be seen, is settled. */
  void awaitPassed(long place, Seed seed) throws Exception {
    Eventually.await(
        DELIVERS_WITHIN,
        () -> delivered() >= place,
        () -> "expected place %d to be passed: %s; %s".formatted(place, statuses(), seed));
  }

  /** The place of the ordered outbox that was drawn last. */
  long lastPlace() throws SQLException {
    return sql.number("SELECT last_value FROM outbox_log_pos");
  }

  /** Waits until every message is delivered or dead. */
  void awaitRest(Supplier<String> context) throws Exception {
    awaitRestOf("true", context);
  }

  /** Waits until every message that a condition on the view {@code outbox} names is at rest. */
  void awaitRestOf(String condition, Supplier<String> context) throws Exception {
    String unfinished =
        "SELECT count(*) FROM outbox WHERE status NOT IN ('DISPATCHED', 'FAILED') AND ";
    Eventually.await(
        AT_REST_WITHIN,
        () -> sql.number(unfinished + condition) == 0,
        () -> "messages are stuck: " + statuses() + "; " + context.get());
  }

  /** Compares what was committed with what arrived. Only meaningful at rest. */
  Findings findings(Set<UUID> acknowledged) throws SQLException {
    return Findings.of(
        kind,
        sql.ids("SELECT event_id FROM booking"),
        acknowledged,
        sql.ids("SELECT outbox_id FROM outbox WHERE status = 'FAILED'"),
        arrivals());
  }

  /** What the topic has by now, in order per key. */
  List<Topic.Arrival> arrivals() {
    return Topic.readAll(bootstrapServers, topic);
  }

  long leasedBy(String relay) throws SQLException {
    return sql.number("SELECT count(*) FROM outbox WHERE lease_owner = '" + relay + "'");
  }

  /** Every column of every message's row, by message. */
  Map<UUID, Map<String, String>> rows() throws SQLException {
    Map<UUID, Map<String, String>> rows = new TreeMap<>();
    for (Map<String, String> row : sql.rows("SELECT * FROM outbox_queue")) {
      rows.put(UUID.fromString(row.getOrDefault("outbox_id", "")), row);
    }
    return rows;
  }

  private String statuses() {
    try {
      return sql.rows(
              "SELECT status, lease_owner, count(*), max(last_error) FROM outbox GROUP BY 1, 2")
          .toString();
    } catch (SQLException unreachable) {
      return unreachable.toString();
    }
  }

  @Override
  public void close() {
    store.close();
    pool.close();
  }
}
