package io.postroad.postgres;

import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.schema.SchemaGrants;
import io.postroad.postgres.internal.schema.SchemaHistory;
import io.postroad.postgres.internal.schema.SchemaScript;
import io.postroad.postgres.internal.schema.SchemaStep;
import io.postroad.postgres.internal.schema.StreamIndex;
import io.postroad.schema.SchemaException;
import io.postroad.schema.StoreSchema;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
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
 * and lacking, and whoever appends waits meanwhile. On a large table in use, have it made
 * beforehand with the statement that {@link #verify()} names.
 */
public final class PostgresSchema implements StoreSchema {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);
  private static final List<SchemaStep> STEPS = SchemaStep.ALL;
  private static final String REMEDY =
      ": run PostgresSchema.migrate(), open the store with SchemaMode.MIGRATE, or have a DBA run"
          + " PostgresSchema.script()";

  private final JdbcTransactions transactions;
  private final PostgresOptions options;
  private final SchemaHistory history;

  public PostgresSchema(DataSource dataSource, PostgresOptions options) {
    this.transactions = new JdbcTransactions(dataSource);
    this.options = options;
    this.history = new SchemaHistory(options);
  }

  @Override
  public int requiredVersion() {
    return STEPS.get(STEPS.size() - 1).version();
  }

  @Override
  public int installedVersion() {
    return inTransaction(
        "read the schema's version", connection -> latest(history.applied(connection)));
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
          if (installed < requiredVersion()) {
            throw refused(
                installed == 0
                    ? "Postroad's tables are missing in schema \"%s\" (needs version %d, found none)"
                            .formatted(options.schema(), requiredVersion())
                        + REMEDY
                    : "Postroad's tables in schema \"%s\" are too old (needs version %d, found %d)"
                            .formatted(options.schema(), requiredVersion(), installed)
                        + REMEDY,
                installed);
          }
          List<String> missing = history.missing(connection);
          if (!missing.isEmpty()) {
            throw refused(
                "Postroad's tables in schema \"%s\" are at version %d but incomplete, missing: %s;"
                        .formatted(options.schema(), installed, String.join(", ", missing))
                    + " create them again as PostgresSchema.script() does",
                installed);
          }
          if (history.lacksStreamIndex(connection)) {
            throw refused(
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
    SortedMap<Integer, String> applied = history.applied(connection);
    int installed = latest(applied);
    if (installed > requiredVersion()) {
      throw refused(
          "Postroad's tables in schema \"%s\" are too new: the database is at version %d, this"
                  .formatted(options.schema(), installed)
              + " library knows %d; upgrade the library".formatted(requiredVersion()),
          installed);
    }
    for (SchemaStep step : STEPS) {
      String checksum = applied.getOrDefault(step.version(), step.checksum());
      if (!checksum.equals(step.checksum())) {
        throw refused(
            "step %s in schema \"%s\" was applied with another text (checksum %s, this library has %s);"
                    .formatted(
                        step.file(), options.schema(), brief(checksum), brief(step.checksum()))
                + " use the library that applied it, or compare the tables with"
                + " PostgresSchema.script() and correct the checksum",
            installed);
      }
    }
    return installed;
  }

  private int applyNext(Connection connection) throws SQLException {
    // Under a stricter level the snapshot would be older than the lock that is waited for.
    execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    lock(connection);
    int installed = checkedVersion(connection);
    if (installed == requiredVersion()) {
      return installed;
    }
    SchemaStep step = STEPS.get(installed);
    createSchema(connection);
    history.create(connection);
    execute(connection, SchemaScript.searchPath(options));
    execute(connection, step.sql(options));
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

  /** Holds back whoever wants to migrate the same tables, until the transaction ends. */
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

  private static int latest(SortedMap<Integer, String> applied) {
    return applied.isEmpty() ? 0 : Objects.requireNonNull(applied.lastKey());
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private SchemaException refused(String text, int installed) {
    return new SchemaException(text, requiredVersion(), installed);
  }

  private static String brief(String checksum) {
    return checksum.substring(0, Math.min(12, checksum.length()));
  }

  private <R> R inTransaction(String what, Transactions.Work<Connection, R, SQLException> work) {
    try {
      return transactions.call(work);
    } catch (SQLException failed) {
      throw SqlErrors.failed(what + " \"" + options.schema() + "\"", failed);
    }
  }
}
