package io.postroad.postgres;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.NearClock;
import io.postroad.postgres.internal.jdbc.ServerCheck;
import io.postroad.postgres.internal.process.ProcessDefinitions;
import io.postroad.postgres.internal.process.ProcessReader;
import io.postroad.postgres.internal.process.ProcessSql;
import io.postroad.postgres.internal.process.ProcessWriter;
import io.postroad.spi.process.ProcessQueries;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredDefinitions;
import io.postroad.spi.process.StoredProcesses;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Processes in PostgreSQL: one row for each process, and one for each entry of its log.
 *
 * <p>Safe to use from many threads and nodes. The methods of {@link #processes()} that take a
 * connection join its transaction and run one statement each (start: two when the business key is
 * taken). All other methods borrow a connection from the DataSource, run one statement and commit
 * it (purge: two). A crash of a node leaves nothing of a transaction that was not committed, and
 * frees its locks. A crash of the database loses no commit.
 *
 * <p>Starting a process waits for a transaction that starts one with the same business key, and for
 * one that has ended the process which had it. Locking waits for the transaction that has the
 * process locked. Two transactions that each lock several processes should do so in the same order,
 * or one may end as the victim of a deadlock. Run all on READ COMMITTED, which is PostgreSQL's
 * default. Under REPEATABLE READ or SERIALIZABLE a transaction that meets a newer row fails with
 * SQLSTATE 40001 as the cause: repeat the whole transaction.
 */
public final class PostgresProcessStore implements ProcessStore<Connection> {
  private static final Duration TICK = Duration.of(1, ChronoUnit.MICROS);

  private final JdbcTransactions transactions;
  private final ProcessWriter writer;
  private final ProcessReader reader;
  private final ProcessDefinitions definitions;

  private PostgresProcessStore(DataSource dataSource, PostgresOptions options) {
    Database database = new Database(dataSource, options.statementTimeout());
    ProcessSql sql = new ProcessSql(options);
    transactions = new JdbcTransactions(dataSource);
    reader = new ProcessReader(database, sql);
    writer = new ProcessWriter(reader, sql, NearClock.of(options));
    definitions = new ProcessDefinitions(database, sql);
  }

  /**
   * Opens the processes in this database. Their tables come with those of the outbox stores, so
   * they can share schema and prefix with one.
   *
   * @param dataSource a pool, or anything else that makes connections to one PostgreSQL primary; it
   *     stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws io.postroad.message.PostroadException when the server cannot be used: too old, a
   *     read-only replica, not reachable
   */
  public static PostgresProcessStore open(DataSource dataSource, PostgresOptions options) {
    ServerCheck.run(dataSource);
    options.schemaMode().apply(new PostgresSchema(dataSource, options.withStreams(false)));
    return new PostgresProcessStore(dataSource, options);
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public Transactions<Connection> transactions() {
    return transactions;
  }

  @Override
  public StoredProcesses<Connection> processes() {
    return writer;
  }

  @Override
  public ProcessQueries queries() {
    return reader;
  }

  @Override
  public StoredDefinitions definitions() {
    return definitions;
  }

  /** Returns empty: a transaction that locks a process waits for its row. */
  @Override
  public Optional<WaitingReplies<Connection>> waitingReplies() {
    return Optional.empty();
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    return reader.purge(olderThan, limit);
  }

  @Override
  public Duration tick() {
    return TICK;
  }

  @Override
  public Instant now() {
    return reader.now();
  }

  /** Does nothing; the DataSource belongs to the caller. */
  @Override
  public void close() {}
}
