package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Reads the log from a position and stores the position, as the only reader. Its connection holds
 * the lock that excludes other readers: a reader that has lost the lock has lost the connection,
 * and cannot store a position.
 *
 * <p>A transaction's id is assigned before it draws a position. So a row at or below the head that
 * the head's snapshot did not see belongs to a transaction that was running then: one in the
 * snapshot's list, or one between its xmax and the next id to be assigned. The second kind is in no
 * list, because xmax is the newest <em>finished</em> transaction + 1.
 */
final class PostgresLog implements AutoCloseable {
  private static final int SIZE = 2_000;

  /** The default of pos reads the xid, so that the xid is always assigned first. */
  static final String CREATE =
      """
      CREATE SEQUENCE %1$s.outbox_pos CACHE 1;
      CREATE TABLE %1$s.outbox (
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        pos bigint PRIMARY KEY DEFAULT
          CASE WHEN pg_current_xact_id() IS NULL THEN NULL ELSE nextval('%1$s.outbox_pos') END,
        id uuid NOT NULL,
        key text NOT NULL,
        type text NOT NULL,
        topic text NOT NULL,
        payload text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now());
      CREATE INDEX ON %1$s.outbox (xid);
      CREATE TABLE %1$s.outbox_cursor (
        snapshot text NOT NULL,
        next_xid bigint NOT NULL,
        head bigint NOT NULL);
      INSERT INTO %1$s.outbox_cursor (snapshot, next_xid, head) VALUES ('1:1:', 1, 0)
      """;

  /**
   * {@code pos + 0} leaves only the index on xid to find late commits. The first row has the
   * snapshot of the statement; age() counts from the next id, which is read after it.
   */
  private static final String READ =
      """
      SELECT NULL::bigint, NULL, NULL, NULL, NULL::uuid, NULL,
             s::text,
             pg_snapshot_xmax(s)::text::bigint + age(pg_snapshot_xmax(s)::xid)
      FROM pg_current_snapshot() s
      UNION ALL
      SELECT %2$s, NULL, NULL
      FROM %1$s.outbox
      WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip(?::pg_snapshot)))
        AND pos + 0 <= ?
      UNION ALL
      SELECT %2$s, NULL, NULL
      FROM %1$s.outbox
      WHERE xid >= pg_snapshot_xmax(?::pg_snapshot)
        AND xid < ?::text::xid8
        AND pos + 0 <= ?
      UNION ALL
      (SELECT %2$s, NULL, NULL
       FROM %1$s.outbox
       WHERE pos > ?
       ORDER BY pos
       LIMIT %3$d)
      """;

  private static final String LOAD = "SELECT snapshot, next_xid, head FROM %s.outbox_cursor";
  private static final String STORE =
      "UPDATE %s.outbox_cursor SET snapshot = ?, next_xid = ?, head = ?";

  private final Connection connection;
  private final PreparedStatement read;
  private final PreparedStatement load;
  private final PreparedStatement store;

  PostgresLog(Connection connection, String schema) throws SQLException {
    this.connection = connection;
    try (Statement settings = connection.createStatement()) {
      settings.execute("SELECT pg_advisory_lock(hashtext('%s'))".formatted(schema));
      settings.execute("SET synchronous_commit = off");
      settings.execute("SET plan_cache_mode = force_generic_plan");
      settings.execute("SET enable_seqscan = off");
      settings.execute("SET enable_bitmapscan = off");
    }
    read = connection.prepareStatement(READ.formatted(schema, PostgresMessages.COLUMNS, SIZE));
    load = connection.prepareStatement(LOAD.formatted(schema));
    store = connection.prepareStatement(STORE.formatted(schema));
  }

  PostgresLogPosition load() throws SQLException {
    try (ResultSet row = load.executeQuery()) {
      row.next();
      return new PostgresLogPosition(row.getString(1), row.getLong(2), row.getLong(3));
    }
  }

  PostgresLogChunk read(PostgresLogPosition after) throws SQLException {
    read.setString(1, after.snapshot());
    read.setLong(2, after.head());
    read.setString(3, after.snapshot());
    read.setLong(4, after.nextXid());
    read.setLong(5, after.head());
    read.setLong(6, after.head());
    LimitMessages messages = new LimitMessages();
    String snapshot = after.snapshot();
    long nextXid = after.nextXid();
    long head = after.head();
    int ahead = 0;
    try (ResultSet rows = read.executeQuery()) {
      while (rows.next()) {
        long pos = rows.getLong(1);
        if (rows.wasNull()) {
          snapshot = rows.getString(7);
          nextXid = rows.getLong(8);
          continue;
        }
        PostgresMessages.add(rows, messages);
        if (pos > after.head()) {
          ahead++;
          head = Math.max(head, pos);
        }
      }
    }
    return new PostgresLogChunk(
        messages, new PostgresLogPosition(snapshot, nextXid, head), ahead == SIZE);
  }

  /**
   * Stores the position without waiting for the disk: if it is lost, messages are sent again, which
   * at-least-once allows.
   */
  void store(PostgresLogPosition position) throws SQLException {
    store.setString(1, position.snapshot());
    store.setLong(2, position.nextXid());
    store.setLong(3, position.head());
    store.executeUpdate();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException ignored) {
      // The server releases the lock when the connection ends.
    }
  }
}
