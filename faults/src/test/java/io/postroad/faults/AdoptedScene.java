package io.postroad.faults;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A scene in PostgreSQL whose outbox is the table of a payment service, made by itself. */
final class AdoptedScene extends Scene {
  private static final String TABLE =
      """
      CREATE TABLE outbox_event (
        id VARCHAR(36) PRIMARY KEY,
        aggregate_type VARCHAR(50) NOT NULL,
        aggregate_id VARCHAR(36) NOT NULL,
        event_type VARCHAR(100) NOT NULL,
        topic VARCHAR(100) NOT NULL,
        partition_key VARCHAR(100) NOT NULL,
        payload TEXT NOT NULL,
        status VARCHAR(20) NOT NULL DEFAULT 'PENDING',
        retry_count INT NOT NULL DEFAULT 0,
        error_message TEXT,
        created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
        published_at TIMESTAMP,
        version INT NOT NULL DEFAULT 1
      )
      """;

  private final Sql sql;
  private final AdoptedAddress address;
  private final OpenOutbox<Connection> outbox;
  private final SqlLedger ledger;

  private AdoptedScene(StoreKind kind, String jdbcUrl, String bootstrapServers, String topic)
      throws SQLException {
    super(kind, bootstrapServers, topic);
    Length.needs(Product.POSTGRESQL);
    this.sql = new Sql(jdbcUrl);
    sql.execute(TABLE);
    this.address = new AdoptedAddress(jdbcUrl, kind == StoreKind.ORDERED);
    this.outbox = address.create();
    this.ledger = SqlLedger.create(sql);
  }

  /** A competing one, or one in order. */
  static AdoptedScene of(StoreKind kind) throws SQLException {
    String topic = newTopic();
    KafkaServer.shared().createTopic(topic, PARTITIONS);
    return new AdoptedScene(
        kind,
        PostgresServer.shared().createDatabase("faults"),
        KafkaServer.shared().bootstrapServers(),
        topic);
  }

  Sql sql() {
    return sql;
  }

  @Override
  DatabaseAddress database() {
    return address;
  }

  @Override
  Bookings<Connection> bookings() {
    return new Bookings<>(outbox.store(), ledger, topic());
  }

  @Override
  long delivered() throws SQLException {
    return sql.number("SELECT count(*) FROM outbox_event WHERE status = 'PUBLISHED'");
  }

  @Override
  long unfinished() throws SQLException {
    return sql.number("SELECT count(*) FROM outbox_event WHERE status = 'PENDING'");
  }

  @Override
  Set<UUID> committed() throws SQLException {
    return sql.ids("SELECT event_id FROM booking");
  }

  @Override
  Set<UUID> dead() throws SQLException {
    return sql.ids("SELECT CAST(id AS uuid) FROM outbox_event WHERE status = 'FAILED'");
  }

  @Override
  long leasedBy(String relay) throws SQLException {
    return sql.number(
        "SELECT count(*) FROM outbox_event WHERE postroad_lease_owner = '" + relay + "'");
  }

  @Override
  Lane lane() {
    throw new UnsupportedOperationException("a team's table has no lanes");
  }

  @Override
  List<String> positionsOf(long epoch) {
    throw new UnsupportedOperationException("a team's table has no positions");
  }

  @Override
  ChangeWatch watch() {
    throw new UnsupportedOperationException("nothing watches a team's table");
  }

  @Override
  String statuses() {
    try {
      return sql.rows(
              "SELECT status, postroad_lease_owner, count(*), max(error_message) FROM outbox_event"
                  + " GROUP BY 1, 2")
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
