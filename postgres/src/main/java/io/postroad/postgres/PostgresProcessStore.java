package io.postroad.postgres;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.NearClock;
import io.postroad.postgres.internal.jdbc.ServerCheck;
import io.postroad.postgres.internal.process.ProcessDefinitions;
import io.postroad.postgres.internal.process.ProcessLookup;
import io.postroad.postgres.internal.process.ProcessSql;
import io.postroad.postgres.internal.process.ProcessSteps;
import io.postroad.spi.WaitingReply;
import io.postroad.spi.ProcessFilter;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.StoredDefinition;
import io.postroad.spi.StoredProcess;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Processes in PostgreSQL: one row each, and one for each entry of their logs.
 *
 * <p>Safe to use from many threads and nodes. {@link #start}, {@link #lock}, {@link #lockDue} and
 * {@link #save} join the transaction of the connection they are given, whoever opened it, and are
 * one statement each (start: two when the business key is taken); the others borrow a connection
 * from the DataSource, are one statement and commit it, purge two of each. A crash leaves nothing
 * of a transaction that was not committed, and frees its locks. A crash of the database forgets no
 * commit.
 *
 * <p>{@link #start} waits for a transaction that starts one with the same business key, and for one
 * that has ended the process that had it; {@link #lock} for whoever has the process. Two
 * transactions that each lock several should do so in the same order, or one may end as the victim
 * of a deadlock. Run all on READ COMMITTED, which is PostgreSQL's default. Under REPEATABLE READ or
 * SERIALIZABLE whoever met a newer row fails with SQLSTATE 40001 as the cause: repeat the whole
 * transaction.
 */
public final class PostgresProcessStore implements ProcessStore<Connection> {
  private static final Duration TICK = Duration.of(1, ChronoUnit.MICROS);

  private final JdbcTransactions transactions;
  private final ProcessSteps steps;
  private final ProcessLookup lookup;
  private final ProcessDefinitions definitions;

  private PostgresProcessStore(DataSource dataSource, PostgresOptions options) {
    Database database = new Database(dataSource, options.statementTimeout());
    ProcessSql sql = new ProcessSql(options);
    transactions = new JdbcTransactions(dataSource);
    steps = new ProcessSteps(sql, NearClock.of(options));
    lookup = new ProcessLookup(database, sql);
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
  public Optional<UUID> start(
      Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
    return steps.start(transaction, process, log);
  }

  @Override
  public Optional<Locked> lock(Connection transaction, UUID id) {
    return steps.lock(transaction, id);
  }

  @Override
  public Optional<Locked> lockNow(Connection transaction, UUID id) {
    return steps.lockNow(transaction, id);
  }

  @Override
  public Optional<Locked> lockDue(Connection transaction) {
    return steps.lockDue(transaction);
  }

  @Override
  public void save(Connection transaction, StoredProcess process, List<ProcessLogEntry> log) {
    steps.save(transaction, process, log);
  }

  @Override
  public void saveKnown(
      Connection transaction, long knownSeq, StoredProcess process, List<ProcessLogEntry> log) {
    steps.saveKnown(transaction, knownSeq, process, log);
  }

  @Override
  public void postpone(UUID id, Duration delay) {
    lookup.postpone(id, delay);
  }

  @Override
  public Optional<StoredProcess> find(UUID id) {
    return lookup.find(id);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Goes by business key, else by status, else by id, and reads of those until it has enough.
   */
  @Override
  public List<StoredProcess> list(ProcessFilter filter, int limit) {
    ProcessStore.checkLimit(limit);
    return lookup.list(filter, limit);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads an index from end to end, and no row: not for every second when there are millions.
   */
  @Override
  public Map<String, Long> counts() {
    return lookup.counts();
  }

  @Override
  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    ProcessStore.checkLimit(limit);
    return lookup.log(processId, afterSeq, limit);
  }

  @Override
  public void keep(StoredDefinition definition) {
    definitions.keep(definition);
  }

  @Override
  public Optional<StoredDefinition> definition(String type, String hash) {
    return definitions.find(type, hash);
  }

  @Override
  public Optional<Instant> keptSince(String type, String hash) {
    return definitions.keptSince(type, hash);
  }

  @Override
  public Map<String, Long> live(String type) {
    return lookup.live(type);
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    ProcessStore.checkLimit(limit);
    return lookup.purge(olderThan, limit);
  }

  /** Who wants a process that another has locked waits for its row here. */
  @Override
  public boolean parksBranches() {
    return false;
  }

  @Override
  public void park(Connection transaction, WaitingReply arrival) {
    throw new UnsupportedOperationException(
        "PostgreSQL writes down no replies for later, parksBranches is false: lock process %s and"
                .formatted(arrival.processId())
            + " save it");
  }

  @Override
  public List<WaitingReply> takeParked(Connection transaction, UUID processId) {
    return List.of();
  }

  @Override
  public List<UUID> parked(int limit, Collection<UUID> except) {
    ProcessStore.checkLimit(limit);
    return List.of();
  }

  @Override
  public Duration tick() {
    return TICK;
  }

  @Override
  public Instant now() {
    return lookup.now();
  }

  @Override
  public Instant nearlyNow(Connection transaction) {
    return steps.nearlyNow(transaction);
  }

  @Override
  public Instant now(Connection transaction) {
    return steps.now(transaction);
  }

  /** There is nothing to end; the DataSource is the caller's. */
  @Override
  public void close() {}
}
