package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.Claim;
import io.postroad.store.ClaimRequest;
import io.postroad.store.CompetingStore;
import io.postroad.store.DeadLetterStore;
import io.postroad.store.Finding;
import io.postroad.store.PauseStore;
import io.postroad.store.PurgeResult;
import io.postroad.store.SetAside;
import io.postroad.store.Settlement;
import io.postroad.store.StoredMessage;
import io.postroad.store.Transactions;
import io.postroad.store.WakeUps;
import io.postroad.store.hint.NodeWakeUps;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The outbox in PostgreSQL: one row per message, taken by competing workers.
 *
 * <p>Safe to use from many threads. {@link #append} joins the transaction of the connection it is
 * given and is one round trip (two or three with deduplication keys). Every other verb borrows a
 * connection from the DataSource, is one statement (purge: two) and commits it; run it on READ
 * COMMITTED, which is PostgreSQL's default. A crash of this process leaves claimed messages to be
 * claimed again when their lease ends. A crash of the database may forget the settles of the last
 * moments, so that those messages are delivered once more; it forgets no append and no claim.
 *
 * <p>Appending with a deduplication key waits for a transaction that is appending the same key. Two
 * transactions that append several keys in several calls should do so in the same order, or one of
 * them may end as the victim of a deadlock; within one call the order is taken care of.
 *
 * <p>Under REPEATABLE READ or SERIALIZABLE an append that had to wait fails with SQLSTATE 40001 as
 * its cause, like any other write that met a newer one: repeat the whole transaction.
 */
public final class PostgresCompetingStore implements CompetingStore<Connection> {
  private final JdbcTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final Appender appender;
  private final Claimer claimer;
  private final Settler settler;
  private final Purger purger;
  private final QueueAside aside;
  private final Inspector inspector;
  private final Pauses pauses;
  private final DeadLetters deadLetters;
  private final Examiner examiner;
  private final StoredIds storedIds;

  private PostgresCompetingStore(DataSource dataSource, PostgresOptions options) {
    Database database = new Database(dataSource, options.statementTimeout());
    storedIds = StoredIds.ofQueue(options);
    OutboxSql sql = new OutboxSql(options);
    transactions = new JdbcTransactions(dataSource);
    wakeUps = NotifyChannel.wakeUps(database, options);
    AppendSql appendSql = new AppendSql(options);
    appender = new Appender(new DedupKeys(appendSql), new MessageInsert(appendSql));
    claimer = new Claimer(database, sql);
    settler = new Settler(database, sql);
    purger = new Purger(database, sql);
    AsideSql asideSql = AsideSql.ofQueue(options);
    aside = new QueueAside(database, asideSql);
    inspector = new Inspector(database, Inspector.Statements.ofQueue(sql, asideSql));
    examiner = Examiner.ofQueue(database, new PostgresSchema(dataSource, options), options);
    Audit audit = new Audit(database, options);
    Decisions decisions = new Decisions(database, audit, wakeUps, options);
    pauses = new Pauses(database, decisions, options);
    DeadLetterSql letterSql = DeadLetterSql.ofQueue(options);
    deadLetters =
        new DeadLetters(
            new DeadLetterReader(database, letterSql),
            new QueueDeadLetters(database, inspector, letterSql, options),
            decisions,
            audit);
  }

  /**
   * Opens the outbox in this database.
   *
   * @param dataSource a pool, or anything else that makes connections to one PostgreSQL primary; it
   *     stays the caller's
   * @throws io.postroad.store.SchemaException when the schema does not fit
   * @throws io.postroad.message.PostroadException when the server cannot be used: too old, a
   *     read-only replica, not reachable
   */
  public static PostgresCompetingStore open(DataSource dataSource, PostgresOptions options) {
    ServerCheck.run(dataSource);
    options.schemaMode().apply(new PostgresSchema(dataSource, options));
    return new PostgresCompetingStore(dataSource, options);
  }

  /** Tells which messages are here already. */
  StoredIds storedIds() {
    return storedIds;
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

  /**
   * {@inheritDoc}
   *
   * <p>A message id that is stored already is a {@link io.postroad.message.PostroadException} that
   * names it; nothing of the call is written then and the transaction stays usable. After an error
   * of the database itself it must be rolled back, as PostgreSQL wants it.
   */
  @Override
  public List<AppendResult> append(
      Connection transaction, List<Message> messages, Duration deduplicateFor) {
    return appender.append(transaction, messages, deduplicateFor);
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    return claimer.claim(request);
  }

  @Override
  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    return settler.extend(claims, leaseFor);
  }

  @Override
  public Set<UUID> settle(List<Settlement> settlements) {
    return settler.settle(settlements);
  }

  @Override
  public Set<String> destinationsAside() {
    return aside.destinations();
  }

  @Override
  public int open(String destination, int limit) {
    return aside.open(destination, limit);
  }

  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    return purger.purge(olderThan, limit);
  }

  @Override
  public Optional<StoredMessage> find(UUID id) {
    return inspector.find(id);
  }

  @Override
  public List<Finding> examine() {
    return examiner.examine();
  }

  @Override
  public DeadLetterStore deadLetters() {
    return deadLetters;
  }

  @Override
  public PauseStore pauses() {
    return pauses;
  }

  @Override
  public List<SetAside> setAside() {
    return inspector.setAside();
  }

  @Override
  public Backlog backlog() {
    return inspector.backlog();
  }

  @Override
  public Instant now() {
    return inspector.now();
  }

  @Override
  public void close() {
    wakeUps.close();
  }
}
