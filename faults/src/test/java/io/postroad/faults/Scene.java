package io.postroad.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import io.postroad.store.SchemaMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  private final String jdbcUrl;
  private final String bootstrapServers;
  private final String topic;
  private final HikariDataSource pool;
  private final PostgresCompetingStore store;

  private Scene(String jdbcUrl, String bootstrapServers, String topic) throws SQLException {
    this.jdbcUrl = jdbcUrl;
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.pool = Pools.open(jdbcUrl);
    this.store =
        PostgresCompetingStore.open(
            pool, PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE));
    execute("CREATE TABLE booking (event_id uuid PRIMARY KEY, account text NOT NULL)");
  }

  static Scene on(PostgresServer postgres, KafkaServer kafka) throws SQLException {
    String topic = "bookings-" + UUID.randomUUID();
    kafka.createTopic(topic, PARTITIONS);
    return new Scene(postgres.createDatabase("faults"), kafka.bootstrapServers(), topic);
  }

  Bookings bookings() {
    return new Bookings(store, topic);
  }

  /** Starts a relay whose leases are as short as they may be: 5 s. */
  RelayChild startRelay(String name) {
    return startRelay(name, Duration.ofMillis(500), HoldUp.NONE);
  }

  RelayChild startRelay(String name, Duration leaseMargin, HoldUp holdUp) {
    return RelayChild.start(new RelayArgs(name, jdbcUrl, bootstrapServers, leaseMargin, holdUp));
  }

  /** Waits until so many more messages are delivered. */
  void awaitMoreDelivered(int messages, Seed seed) throws Exception {
    int wanted = delivered() + messages;
    Eventually.await(
        DELIVERS_WITHIN,
        () -> delivered() >= wanted,
        () -> "expected %d delivered: %s; %s".formatted(wanted, statuses(), seed));
  }

  private int delivered() throws SQLException {
    return number("SELECT count(*) FROM outbox WHERE status = 'DISPATCHED'");
  }

  /** Waits until every message is delivered or dead. */
  void awaitRest(Supplier<String> context) throws Exception {
    Eventually.await(
        AT_REST_WITHIN,
        () ->
            number("SELECT count(*) FROM outbox WHERE status NOT IN ('DISPATCHED', 'FAILED')") == 0,
        () -> "messages are stuck: " + statuses() + "; " + context.get());
  }

  /** Compares what was committed with what arrived. Only meaningful at rest. */
  Findings findings(Set<UUID> acknowledged) throws SQLException {
    return Findings.of(
        bookedEvents(), acknowledged, deadLetters(), Topic.readAll(bootstrapServers, topic));
  }

  int leasedBy(String relay) throws SQLException {
    return number("SELECT count(*) FROM outbox WHERE lease_owner = '" + relay + "'");
  }

  /** Every column of every message's row, by message. */
  Map<UUID, Map<String, String>> rows() throws SQLException {
    Map<UUID, Map<String, String>> rows = new TreeMap<>();
    try (Connection connection = connect();
        PreparedStatement all = connection.prepareStatement("SELECT * FROM outbox_queue");
        ResultSet result = all.executeQuery()) {
      while (result.next()) {
        rows.put(result.getObject("outbox_id", UUID.class), row(result));
      }
    }
    return rows;
  }

  private static Map<String, String> row(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    Map<String, String> row = new TreeMap<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      @Nullable String value = result.getString(i);
      row.put(columns.getColumnName(i), value == null ? "NULL" : value);
    }
    return row;
  }

  private Set<UUID> bookedEvents() throws SQLException {
    return ids("SELECT event_id FROM booking");
  }

  private Set<UUID> deadLetters() throws SQLException {
    return ids("SELECT outbox_id FROM outbox WHERE status = 'FAILED'");
  }

  private Set<UUID> ids(String query) throws SQLException {
    Set<UUID> ids = new HashSet<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        ids.add(result.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  private int number(String query) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getInt(1);
    }
  }

  private String statuses() {
    List<String> lines = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT status, lease_owner, count(*), max(last_error) FROM outbox GROUP BY 1, 2")) {
      while (result.next()) {
        lines.add(row(result).toString());
      }
    } catch (SQLException unreachable) {
      lines.add(unreachable.toString());
    }
    return lines.toString();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl);
  }

  @Override
  public void close() {
    store.close();
    pool.close();
  }
}
