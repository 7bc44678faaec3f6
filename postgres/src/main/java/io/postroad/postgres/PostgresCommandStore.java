package io.postroad.postgres;

import io.postroad.postgres.internal.command.CommandAccepter;
import io.postroad.postgres.internal.command.CommandClaimer;
import io.postroad.postgres.internal.command.CommandLookup;
import io.postroad.postgres.internal.command.CommandReturns;
import io.postroad.postgres.internal.command.CommandSql;
import io.postroad.postgres.internal.command.CommandSteps;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.LateWrites;
import io.postroad.postgres.internal.jdbc.NotifyChannel;
import io.postroad.postgres.internal.jdbc.ServerCheck;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.jdbc.TransactionAbort;
import io.postroad.postgres.internal.jdbc.TransactionLimit;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Keeps commands in PostgreSQL: one row each, from its acceptance (or from its end, if it was
 * handed off in memory) until it is purged.
 *
 * <p>Safe to use from many threads and nodes. {@link #accept}, {@link #open}, {@link #finish},
 * {@link #cancel}, {@link #expire}, {@link #reply} and {@link #arrived} join the transaction of the
 * given connection, and are one statement each (accept: two when the key is known). The others
 * borrow a connection from the DataSource, are one statement and commit it. A crash of this process
 * leaves claimed commands to be claimed again when their lease ends, and nothing of a handler's
 * transaction that was not committed. A crash of the database loses no commit.
 *
 * <p>{@link #accept} waits for a transaction that is accepting the same key, {@link #cancel} and
 * {@link #reply} for one that is changing the same command. Two transactions that each do several
 * of them should use the same order, or one may end as the victim of a deadlock. Run all on READ
 * COMMITTED, which is PostgreSQL's default. Under REPEATABLE READ or SERIALIZABLE a transaction
 * that meets a newer row fails with SQLSTATE 40001 as the cause: repeat the whole transaction.
 */
public final class PostgresCommandStore implements CommandStore<Connection> {
  private final JdbcTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final CommandAccepter accepter;
  private final CommandClaimer claimer;
  private final CommandReturns returns;
  private final CommandSteps steps;
  private final CommandLookup lookup;
  private final boolean isLimitSet;

  private PostgresCommandStore(DataSource dataSource, PostgresOptions options) {
    Database database = new Database(dataSource, options.statementTimeout());
    CommandSql sql = new CommandSql(options);
    transactions = new JdbcTransactions(dataSource);
    wakeUps = NotifyChannel.ofCommands(database, options);
    accepter = new CommandAccepter(sql);
    claimer = new CommandClaimer(database, sql);
    returns = new CommandReturns(database, sql);
    steps = new CommandSteps(sql);
    lookup = new CommandLookup(database, sql);
    isLimitSet = TransactionLimit.isSet(database);
  }

  /**
   * Opens the commands in this database. Their table comes with those of the outbox stores, so it
   * can share schema and prefix with one.
   *
   * @param dataSource a pool, or anything else that makes connections to one PostgreSQL primary; it
   *     stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws io.postroad.message.PostroadException when the server cannot be used: too old, a
   *     read-only replica, not reachable
   */
  public static PostgresCommandStore open(DataSource dataSource, PostgresOptions options) {
    ServerCheck.run(dataSource);
    options.schemaMode().apply(new PostgresSchema(dataSource, options.withStreams(false)));
    return new PostgresCommandStore(dataSource, options);
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
  public WakeUps wakeUps() {
    return wakeUps;
  }

  @Override
  public Acceptance accept(Connection transaction, NewCommand command) {
    return accepter.accept(transaction, command);
  }

  @Override
  public Acceptance acceptTaken(
      Connection transaction, NewCommand command, String owner, Duration leaseFor) {
    CommandQueue.checkTakeable(command);
    return accepter.acceptTaken(transaction, command, owner, leaseFor);
  }

  /** {@inheritDoc} Possible in the last work of a unit: see {@link Transactions#lastTogether}. */
  @Override
  public Optional<Handoff<Connection>> handoff() {
    return Optional.of(returns);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Later commands take the place of those that other transactions are changing. Then fewer than
   * {@code limit} may come back although more are due, but never none.
   */
  @Override
  public List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor) {
    CommandStore.checkLimit(limit);
    return claimer.claim(owner, types, limit, leaseFor);
  }

  /** {@inheritDoc} One round trip as well. */
  @Override
  public Opening open(Connection transaction, CommandClaim claim, Duration longest) {
    return LateWrites.with(
        transaction,
        unit -> {
          TransactionLimit.of(longest).later(unit, rows -> {});
          return steps.open(unit, claim);
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>From PostgreSQL 17 on by {@code transaction_timeout}. Before that by {@code
   * idle_in_transaction_session_timeout}, which counts from the last statement. Costs a round trip,
   * unless sessions of the DataSource have an {@code idle_in_transaction_session_timeout} when this
   * store is opened: then that limit holds, and this does nothing.
   */
  @Override
  public boolean limit(Connection transaction, Duration longest) {
    if (!isLimitSet) {
      TransactionLimit.of(longest).later(transaction, rows -> {});
    }
    return !isLimitSet;
  }

  @Override
  public boolean finish(Connection transaction, CommandClaim claim, CommandOutcome outcome) {
    return steps.finish(transaction, claim, outcome);
  }

  @Override
  public boolean finishUnended(Connection transaction, CommandClaim claim, CommandOutcome outcome) {
    return LateWrites.with(
        transaction,
        unit -> {
          TransactionLimit.requireSame(unit);
          return steps.finish(unit, claim, outcome);
        });
  }

  @Override
  public boolean retry(CommandClaim claim, Duration delay, String error) {
    return returns.retry(claim, delay, error);
  }

  @Override
  public boolean handOver(CommandClaim claim, Duration pause, String why) {
    return returns.handOver(claim, pause, why);
  }

  @Override
  public Set<UUID> release(Collection<CommandClaim> claims) {
    return returns.release(claims);
  }

  @Override
  public Optional<StoredCommand> cancel(Connection transaction, UUID id, CommandOutcome outcome) {
    return steps.cancel(transaction, id, outcome);
  }

  @Override
  public Optional<StoredCommand> recall(Connection transaction, UUID id, CommandOutcome outcome) {
    return steps.recall(transaction, id, outcome);
  }

  @Override
  public List<StoredCommand> expire(
      Connection transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    CommandStore.checkLimit(limit);
    return steps.expire(transaction, outcome, limit, except);
  }

  @Override
  public Optional<StoredCommand> reply(Connection transaction, UUID id, CommandOutcome outcome) {
    return steps.reply(transaction, id, outcome);
  }

  @Override
  public Optional<StoredCommand> replyNow(Connection transaction, UUID id, CommandOutcome outcome) {
    return steps.replyNow(transaction, id, outcome);
  }

  @Override
  public boolean arrived(Connection transaction, UUID id) {
    return steps.arrived(transaction, id);
  }

  @Override
  public Optional<StoredCommand> find(UUID id) {
    return lookup.find(id);
  }

  @Override
  public Optional<StoredCommand> find(Connection transaction, UUID id) {
    return steps.find(transaction, id);
  }

  @Override
  public Optional<StoredCommand> findByKey(String idempotencyKey) {
    return lookup.findByKey(idempotencyKey);
  }

  @Override
  public List<StoredCommand> finished(Collection<UUID> ids) {
    return lookup.finished(ids);
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    CommandStore.checkLimit(limit);
    return lookup.purge(olderThan, limit);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Goes by SQLSTATE: 40001 and 40P01 (conflicts), 55P03 (a lock was held for too long), classes
   * 08 57P0, 25P03 and 25P04 (the connection is lost), class 53 (the server has no room), 25006 (a
   * former primary). Includes transient connection failures of JDBC, such as an empty pool.
   */
  @Override
  public boolean isTransient(Throwable failure) {
    return failure instanceof SQLException error && SqlErrors.isTransient(error);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The connection is dead afterwards, its pool replaces it, and the statement that runs on it
   * is cancelled, so that its locks are soon free. A commit that is on its way to the server at
   * that moment may still happen. Behind a pooler such as PgBouncer a running statement goes on to
   * its end, unless the server's {@code client_connection_check_interval} is set.
   */
  @Override
  public void abort(Connection transaction) {
    TransactionAbort.of(transaction);
  }

  @Override
  public Instant now() {
    return lookup.now();
  }

  @Override
  public void close() {
    wakeUps.close();
  }
}
