package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.Parameters;
import io.postroad.postgres.internal.log.LogRotation;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.schema.SchemaException;
import io.postroad.schema.StoreSchema;
import io.postroad.spi.StoreFindings;
import io.postroad.store.Finding;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds problems of the database: those of both kinds of stores, and those of each kind. */
public final class Diagnostics {
  /** Transactions that are open for so long are named. */
  private static final int OLD_SECONDS = 300;

  private static final int NAMED = 20;

  private static final String EXPIRED =
      """
      SELECT due.lease_owner, count(*)
      FROM (
        SELECT lease_owner
        FROM ${queue} AS q
        WHERE status = 'PENDING' AND available_at <= ${now}
        ORDER BY available_at
        LIMIT ${limit}) AS due
      WHERE due.lease_owner IS NOT NULL
      GROUP BY due.lease_owner
      ORDER BY due.lease_owner
      """;

  private static final String FREE_LANES =
      """
      SELECT lane, node
      FROM ${lane}
      WHERE node IS NULL OR lease_until <= ${now}
      ORDER BY lane
      """;

  // Sessions of other roles show when they began only to roles that may read all statistics.
  private static final String OLD_TRANSACTIONS =
      """
      SELECT pid, usename, application_name, COALESCE(host(client_addr), 'this machine'), state,
        CAST(extract(epoch FROM ${now} - xact_start) AS bigint) AS seconds
      FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND xact_start <= ${now} - ? * INTERVAL '1 second'
      ORDER BY xact_start
      LIMIT ?
      """;

  private static final String PREPARED =
      """
      SELECT gid, owner, CAST(extract(epoch FROM ${now} - prepared) AS bigint)
      FROM pg_prepared_xacts
      WHERE database = current_database() AND prepared <= ${now} - ? * INTERVAL '1 second'
      ORDER BY prepared
      LIMIT ?
      """;

  // Settings of roles and databases count for sessions that begin after them, this one included.
  // Receivers of logical changes are no standbys.
  private static final String UNSAFE =
      """
      SELECT 'unsafe-commit', 'fsync is off'
      WHERE current_setting('fsync') = 'off'
      UNION ALL
      SELECT 'unsafe-commit', 'synchronous_commit is off for this connection'
      WHERE current_setting('synchronous_commit') = 'off'
      UNION ALL
      SELECT 'unsafe-commit', format('synchronous_commit is off for %s in %s',
        COALESCE('role ' || r.rolname, 'all roles'),
        COALESCE('database ' || d.datname, 'all databases'))
      FROM pg_db_role_setting AS s
      LEFT JOIN pg_roles AS r ON r.oid = s.setrole
      LEFT JOIN pg_database AS d ON d.oid = s.setdatabase
      WHERE 'synchronous_commit=off' = ANY (s.setconfig)
        AND (s.setdatabase = 0 OR d.datname = current_database())
      UNION ALL
      SELECT 'asynchronous-standby', format('standby ''%s'' (%s)', w.application_name,
        COALESCE(host(w.client_addr), 'this machine'))
      FROM pg_stat_replication AS w
      WHERE w.state = 'streaming'
        AND NOT EXISTS (
          SELECT 1
          FROM pg_replication_slots AS s
          WHERE s.active_pid = w.pid AND s.slot_type = 'logical')
        AND NOT EXISTS (
          SELECT 1
          FROM pg_stat_replication AS o
          WHERE o.sync_state IN ('sync', 'quorum'))
      LIMIT ?
      """;

  private final Database database;
  private final StoreSchema schema;
  private final String oldTransactions;
  private final String prepared;
  private final String text;
  private final Database.RowReader<Finding> found;
  private final Supplier<List<Finding>> ofStore;

  private Diagnostics(
      Database database,
      StoreSchema schema,
      PostgresOptions options,
      String text,
      Database.RowReader<Finding> found,
      Supplier<List<Finding>> ofStore) {
    this.database = database;
    this.schema = schema;
    this.oldTransactions = OutboxSql.filled(OLD_TRANSACTIONS, options);
    this.prepared = OutboxSql.filled(PREPARED, options);
    this.text = text;
    this.found = found;
    this.ofStore = ofStore;
  }

  public static Diagnostics ofQueue(
      Database database, StoreSchema schema, PostgresOptions options) {
    return ofRows("${queue}", database, schema, options);
  }

  /** Of a table of a team. */
  public static Diagnostics ofAdopted(
      AdoptedSql adopted, Database database, StoreSchema schema, PostgresOptions options) {
    return ofRows(adopted.rows(), database, schema, options);
  }

  private static Diagnostics ofRows(
      String rows, Database database, StoreSchema schema, PostgresOptions options) {
    return new Diagnostics(
        database,
        schema,
        options,
        OutboxSql.filled(EXPIRED.replace("${queue}", rows), options),
        row -> StoreFindings.expiredLeases(row.getString(1), row.getLong(2)),
        List::of);
  }

  public static Diagnostics ofLog(
      Database database, StoreSchema schema, PostgresOptions options, LogRotation rotation) {
    return new Diagnostics(
        database,
        schema,
        options,
        LogSql.filled(FREE_LANES, options),
        row -> StoreFindings.laneWithoutOwner(row.getInt(1), Optional.ofNullable(row.getString(2))),
        rotation::examine);
  }

  public List<Finding> examine() {
    try {
      schema.verify();
    } catch (SchemaException refused) {
      // Without its tables there is nothing else to ask.
      return List.of(StoreFindings.schema(refused));
    }
    List<Finding> findings = new ArrayList<>(ask(text, parameters -> {}, found));
    findings.addAll(ask(oldTransactions, Diagnostics::bindAge, Diagnostics::oldTransaction));
    findings.addAll(ask(prepared, Diagnostics::bindAge, Diagnostics::preparedTransaction));
    findings.addAll(ask(UNSAFE, parameters -> parameters.add(NAMED), Diagnostics::unsafe));
    findings.addAll(ofStore.get());
    return findings;
  }

  private List<Finding> ask(
      String question, Database.Binding binding, Database.RowReader<Finding> answer) {
    return database.call(
        "examine the outbox", connection -> database.rows(connection, question, binding, answer));
  }

  private static void bindAge(Parameters parameters) throws SQLException {
    parameters.add(OLD_SECONDS).add(NAMED);
  }

  private static Finding preparedTransaction(ResultSet row) throws SQLException {
    String gid = row.getString(1);
    return StoreFindings.oldTransaction(
        "the prepared transaction '%s' (owner %s) is neither committed nor rolled back for %d s"
            .formatted(gid, row.getString(2), row.getLong(3)),
        "it keeps its locks, tables of the log from being emptied and deleted rows from being"
            + " removed; its transaction manager has forgotten it, or run COMMIT PREPARED '%s' or"
                .formatted(gid)
            + " ROLLBACK PREPARED '%s'".formatted(gid));
  }

  private static Finding unsafe(ResultSet row) throws SQLException {
    String code = row.getString(1);
    return code.equals("unsafe-commit")
        ? Finding.warning(
            code,
            row.getString(2) + ": a crash of the server loses transactions that were committed",
            "set it to on; with synchronous_commit = off the ordered relay still sends nothing that a"
                + " crash could lose")
        : Finding.warning(
            code,
            row.getString(2)
                + " follows asynchronously: if it becomes the primary, transactions can be gone whose"
                + " messages were sent",
            "name it in synchronous_standby_names; then a commit waits for it, and the relay too");
  }

  private static Finding oldTransaction(ResultSet row) throws SQLException {
    return StoreFindings.oldTransaction(
        "process %d (user %s, application '%s', from %s, %s) has a transaction open for %d s"
            .formatted(
                row.getInt(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getLong(6)),
        "it keeps tables of the log from being emptied and deleted rows from being removed");
  }
}
