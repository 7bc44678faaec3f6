package io.postroad.postgres.internal.schema;

import io.postroad.internal.store.SchemaFile;
import io.postroad.postgres.PostgresOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The steps that a database has seen, and the tables and indexes that it still has. */
public final class SchemaHistory {
  static final String TABLE = "postroad_schema_history";

  private static final String CREATE =
      """
      CREATE TABLE ${history} (
        version     integer     PRIMARY KEY,
        file        text        NOT NULL,
        checksum    text        NOT NULL,
        applied_at  timestamptz NOT NULL DEFAULT now(),
        applied_by  text        NOT NULL DEFAULT current_user
      )""";

  private static final String READ =
      """
      SELECT version, checksum
      FROM ${history}
      ORDER BY version""";

  private static final String RECORD =
      """
      INSERT INTO ${history} (version, file, checksum)
      VALUES (%d, '%s', '%s')""";

  private static final String RELATIONS_OF_SCHEMA =
      """
      SELECT c.relname
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = ?""";

  /** The tables and indexes that the steps create, apart from this table. */
  public static final List<String> RELATIONS =
      List.of(
          "outbox_queue",
          "outbox_queue_pkey",
          "outbox_queue_due_idx",
          "outbox_queue_dispatched_idx",
          "outbox_queue_failed_idx",
          "outbox_queue_aside_idx",
          "outbox_dedup",
          "outbox_dedup_pkey",
          "outbox_dedup_expires_idx",
          "outbox_log_pos",
          "outbox_log_0",
          "outbox_log_0_pkey",
          "outbox_log_0_xid_idx",
          "outbox_log_0_id_idx",
          "outbox_log_1",
          "outbox_log_1_pkey",
          "outbox_log_1_xid_idx",
          "outbox_log_1_id_idx",
          "outbox_log_2",
          "outbox_log_2_pkey",
          "outbox_log_2_xid_idx",
          "outbox_log_2_id_idx",
          "outbox_log",
          "outbox_lane",
          "outbox_lane_pkey",
          "outbox_awake",
          "outbox_awake_pkey",
          "outbox_cursor",
          "outbox_cursor_pkey",
          "outbox_node",
          "outbox_node_pkey",
          "outbox_held_key",
          "outbox_held_key_pkey",
          "outbox_held_key_due_idx",
          "outbox_held_key_aside_idx",
          "outbox_held_key_parked_lane_idx",
          "outbox_held_key_parked_idx",
          "outbox_held_key_parked_name_idx",
          "outbox_held",
          "outbox_held_pkey",
          "outbox_held_id_idx",
          "outbox_held_status_idx",
          "outbox_held_failed_idx",
          "outbox_scheduled",
          "outbox_scheduled_pkey",
          "outbox_scheduled_due_idx",
          "outbox_pause",
          "outbox_pause_pkey",
          "outbox_audit",
          "outbox_audit_pkey",
          "outbox_audit_at_idx",
          "outbox_audit_subject_idx",
          "inbox",
          "inbox_pkey",
          "inbox_processed_idx",
          "inbox_waiting",
          "inbox_waiting_pkey",
          "inbox_waiting_key_idx",
          "command",
          "command_pkey",
          "command_key_idx",
          "command_due_idx",
          "command_deadline_idx",
          "command_finished_idx",
          "process_instance",
          "process_instance_pkey",
          "process_instance_active_idx",
          "process_instance_due_idx",
          "process_instance_ended_idx",
          "process_instance_definition_idx",
          "process_instance_status_idx",
          "process_instance_key_idx",
          "process_log",
          "process_log_pkey",
          "process_log_seq_idx",
          "process_definition",
          "process_definition_pkey",
          "outbox_position",
          "outbox");

  private final PostgresOptions options;

  public SchemaHistory(PostgresOptions options) {
    this.options = options;
  }

  /** Checksums by version; empty when nothing was ever applied. */
  public SortedMap<Integer, String> applied(Connection connection) throws SQLException {
    SortedMap<Integer, String> applied = new TreeMap<>();
    if (relations(connection).contains(options.prefix() + TABLE)) {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(filled(READ, options.qualified(TABLE)))) {
        while (row.next()) {
          applied.put(row.getInt(1), row.getString(2));
        }
      }
    }
    return applied;
  }

  /** Names of tables, views, indexes and sequences that are not there. */
  public List<String> missing(Connection connection) throws SQLException {
    Set<String> present = relations(connection);
    return RELATIONS.stream()
        .map(relation -> options.prefix() + relation)
        .filter(relation -> !present.contains(relation))
        .toList();
  }

  public boolean lacksStreamIndex(Connection connection) throws SQLException {
    return options.streams()
        && !relations(connection).contains(options.prefix() + StreamIndex.NAME);
  }

  /** Makes the table if it is not there. */
  public void create(Connection connection) throws SQLException {
    // Not IF NOT EXISTS: that needs the right to create even when there is nothing to do.
    if (!relations(connection).contains(options.prefix() + TABLE)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(createSql());
      }
    }
  }

  public void record(Connection connection, SchemaFile step) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(recordSql(step));
    }
  }

  String createSql() {
    return createSql(options.qualified(TABLE));
  }

  String recordSql(SchemaFile step) {
    return recordSql(options.qualified(TABLE), step);
  }

  static String createSql(String table) {
    return filled(CREATE, table);
  }

  static String recordSql(String table, SchemaFile step) {
    return filled(RECORD, table).formatted(step.version(), step.file(), step.checksum());
  }

  // Not to_regclass: it may answer from a cache that is older than the lock we waited for.
  private Set<String> relations(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RELATIONS_OF_SCHEMA)) {
      statement.setString(1, options.schema());
      Set<String> names = new HashSet<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          names.add(row.getString(1));
        }
      }
      return names;
    }
  }

  private static String filled(String statement, String table) {
    return statement.replace("${history}", table);
  }
}
