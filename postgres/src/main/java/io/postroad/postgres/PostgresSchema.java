package io.postroad.postgres;

import io.postroad.internal.store.SchemaCheck;
import io.postroad.internal.store.SchemaFile;
import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.schema.SchemaGrants;
import io.postroad.postgres.internal.schema.SchemaHistory;
import io.postroad.postgres.internal.schema.SchemaScript;
import io.postroad.postgres.internal.schema.SchemaSteps;
import io.postroad.postgres.internal.schema.StreamIndex;
import io.postroad.schema.StoreSchema;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables, view and indexes of the PostgreSQL stores.
 *
 * <p>Safe to use from many threads and nodes. {@link #migrate()} runs each step in a transaction of
 * its own that also writes the history table {@code postroad_schema_history}, under an advisory
 * lock, so a crash leaves whole steps only. {@link #verify()} reads and locks nothing.
 *
 * <p>The index of {@link PostgresOptions#streams()} is no step: it is added where it is asked for
 * and lacking, and appends wait meanwhile. On a large table in use, have it made beforehand with
 * the statement that {@link #verify()} names.
 */
public final class PostgresSchema implements StoreSchema {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);
  private static final List<SchemaFile> STEPS = SchemaSteps.ALL;
  private static final String REMEDY =
      ": run PostgresSchema.migrate(), open the store with SchemaMode.MIGRATE, or have a DBA run"
          + " PostgresSchema.script()";

  private final JdbcTransactions transactions;
  private final PostgresOptions options;
  private final SchemaHistory history;
  private final SchemaCheck check;

  public PostgresSchema(DataSource dataSource, PostgresOptions options) {
    this.transactions = new JdbcTransactions(dataSource);
    this.options = options;
    this.history = new SchemaHistory(options);
    this.check =
        new SchemaCheck(
            STEPS, "tables", "schema \"%s\"".formatted(options.schema()), "PostgresSchema", REMEDY);
  }

  @Override
  public int requiredVersion() {
    return check.requiredVersion();
  }

  @Override
  public int installedVersion() {
    return inTransaction(
        "read the schema's version", connection -> SchemaCheck.latest(history.applied(connection)));
  }

  @Override
  public void migrate() {
    // Looks without the lock first: a schema that is up to date needs no right to change it.
    int installed = inTransaction("read the schema's version", this::checkedVersion);
    while (installed < requiredVersion()) {
      installed = inTransaction("migrate the schema", this::applyNext);
    }
    if (inTransaction("verify the schema", history::lacksStreamIndex)) {
      inTransaction("migrate the schema", this::addStreamIndex);
    }
    verify();
  }

  @Override
  public void verify() {
    this.<Boolean>inTransaction(
        "verify the schema",
        connection -> {
          int installed = checkedVersion(connection);
          check.requireCurrent(installed);
          check.requireComplete(installed, history.missing(connection));
          if (history.lacksStreamIndex(connection)) {
            throw check.refused(
                "PostgresOptions.streams needs an index that schema \"%s\" lacks; open the store with"
                        .formatted(options.schema())
                    + " SchemaMode.MIGRATE, or have the owner of the tables run: "
                    + StreamIndex.createBesideWriters(options),
                installed);
          }
          return true;
        });
  }

  @Override
  public String script() {
    return SchemaScript.of(STEPS, options);
  }

  /**
   * The rights that the role of a service needs, which appends, relays and purges, as one script
   * that the owner of the tables can read and run, after {@link #script()} and after each upgrade.
   * With them a store opens under {@link io.postroad.schema.SchemaMode#VERIFY} and does everything;
   * the role can neither create nor drop anything.
   *
   * @param role its name as PostgreSQL has it, without quotes
   * @throws IllegalArgumentException when it is no name
   */
  public String grants(String role) {
    return new SchemaGrants(options, role).toRelay();
  }

  /**
   * As {@link #grants}, for a service that only appends and leaves the relay to another. Of the
   * ordered outbox it sees nothing that was appended, of the competing one it does, because there
   * an id that is stored already is refused.
   */
  public String appendGrants(String role) {
    return new SchemaGrants(options, role).toAppend();
  }

  /**
   * As {@link #grants}, for a service that only receives: what {@link PostgresInboxStore} needs,
   * and nothing of the outbox.
   */
  public String inboxGrants(String role) {
    return new SchemaGrants(options, role).toReceive();
  }

  /** The installed version, 0 for none, if this library can go on from it. */
  private int checkedVersion(Connection connection) throws SQLException {
    return check.checkedVersion(history.applied(connection));
  }

  private int applyNext(Connection connection) throws SQLException {
    // Under a stricter level the snapshot would be older than the lock that is waited for.
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    lock(connection);
    int installed = checkedVersion(connection);
    if (installed == requiredVersion()) {
      return installed;
    }
    SchemaFile step = STEPS.get(installed);
    createSchema(connection);
    history.create(connection);
    execute(connection, SchemaScript.searchPath(options));
    execute(connection, SchemaSteps.sql(step, options));
    history.record(connection, step);
    LOG.info("postgres: schema migrated: schema={} step={}", options.schema(), step.file());
    return step.version();
  }

  private boolean addStreamIndex(Connection connection) throws SQLException {
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    lock(connection);
    boolean lacks = history.lacksStreamIndex(connection);
    if (lacks) {
      execute(connection, "SET LOCAL lock_timeout = '10s'");
      execute(connection, StreamIndex.create(options));
      LOG.info("postgres: index for streams added: schema={}", options.schema());
    }
    return lacks;
  }

  /** Keeps other nodes from migrating the same tables until the transaction ends. */
  public void lock(Connection connection) throws SQLException {
    String sql = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, "postroad schema " + options.qualified(""));
      statement.execute();
    }
  }

  private void createSchema(Connection connection) throws SQLException {
    String exists = "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?)";
    try (PreparedStatement statement = connection.prepareStatement(exists)) {
      statement.setString(1, options.schema());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (row.getBoolean(1)) {
          return;
        }
      }
    }
    execute(connection, "CREATE SCHEMA " + SchemaScript.schemaName(options));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private <R> R inTransaction(String what, Transactions.Work<Connection, R, SQLException> work) {
    try {
      return transactions.call(work);
    } catch (SQLException failed) {
      throw SqlErrors.failed(what + " \"" + options.schema() + "\"", failed);
    }
  }
}
