package io.postroad.postgres;

import io.postroad.layout.Layout;
import io.postroad.message.Message;
import io.postroad.postgres.internal.admin.Audit;
import io.postroad.postgres.internal.admin.BlockedDestinationSql;
import io.postroad.postgres.internal.admin.DeadLetterReader;
import io.postroad.postgres.internal.admin.DeadLetters;
import io.postroad.postgres.internal.admin.Decisions;
import io.postroad.postgres.internal.admin.Diagnostics;
import io.postroad.postgres.internal.admin.Inspector;
import io.postroad.postgres.internal.admin.Pauses;
import io.postroad.postgres.internal.admin.QueueDeadLetters;
import io.postroad.postgres.internal.adopt.AdoptedColumns;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.append.AppendCheck;
import io.postroad.postgres.internal.append.AppendSql;
import io.postroad.postgres.internal.append.Appender;
import io.postroad.postgres.internal.append.DedupKeys;
import io.postroad.postgres.internal.append.MessageInsert;
import io.postroad.postgres.internal.append.StoredIds;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.NotifyChannel;
import io.postroad.postgres.internal.jdbc.ServerCheck;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.jdbc.SqlTimes;
import io.postroad.postgres.internal.log.Lanes;
import io.postroad.postgres.internal.log.LogLocks;
import io.postroad.postgres.internal.log.RotationSql;
import io.postroad.postgres.internal.queue.BlockedQueue;
import io.postroad.postgres.internal.queue.Claimer;
import io.postroad.postgres.internal.queue.ExclusiveLease;
import io.postroad.postgres.internal.queue.KeyOrder;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.postgres.internal.queue.Purger;
import io.postroad.postgres.internal.queue.Settler;
import io.postroad.schema.StoreSchema;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Finding;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
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
import java.util.function.Consumer;
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
  private final boolean streams;
  private final JdbcTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final Appender appender;
  private final Claimer claimer;
  private final Optional<ExclusiveLease> exclusive;
  private final Optional<KeyOrder> order;
  private final Settler settler;
  private final Purger purger;
  private final BlockedQueue aside;
  private final Inspector inspector;
  private final Pauses pauses;
  private final DeadLetters deadLetters;
  private final Diagnostics diagnostics;
  private final StoredIds storedIds;

  private PostgresCompetingStore(DataSource dataSource, PostgresOptions options, Table table) {
    Database database = new Database(dataSource, options.statementTimeout());
    streams = options.streams();
    storedIds = table.storedIds;
    transactions = new JdbcTransactions(dataSource);
    wakeUps = NotifyChannel.wakeUps(database, options);
    appender =
        new Appender(
            new DedupKeys(table.append), new MessageInsert(table.append), table.appendCheck);
    claimer = new Claimer(database, table.sql);
    exclusive =
        table.sharing.exclusive
            ? Optional.of(
                new ExclusiveLease(
                    new Lanes(database, options, new LogLocks(database, new RotationSql(options)))))
            : Optional.empty();
    order = table.sharing.ordered.map(sql -> new KeyOrder(database, wakeUps, sql));
    settler = new Settler(database, table.sql);
    purger = new Purger(database, table.sql);
    aside = new BlockedQueue(database, table.aside);
    inspector = new Inspector(database, Inspector.Statements.ofQueue(table.sql, table.aside));
    diagnostics = table.diagnostics.over(database);
    Audit audit = new Audit(database, options);
    Decisions decisions = new Decisions(database, audit, wakeUps, options);
    pauses = new Pauses(database, decisions, options);
    deadLetters =
        new DeadLetters(
            new DeadLetterReader(database, table.letters.read()),
            new QueueDeadLetters(database, inspector, table.letters, order),
            decisions,
            audit);
  }

  /** The table of the messages in statements: ours, or one of a team. */
  private record Table(
      OutboxSql sql,
      AppendSql append,
      Consumer<Message> appendCheck,
      BlockedDestinationSql aside,
      QueueDeadLetters.Statements letters,
      StoredIds storedIds,
      DiagnosticsMaker diagnostics,
      Sharing sharing) {

    static Table ours(StoreSchema schema, PostgresOptions options) {
      return new Table(
          new OutboxSql(options),
          new AppendSql(options),
          SqlTimes::requireStorable,
          BlockedDestinationSql.ofQueue(options),
          QueueDeadLetters.Statements.ofQueue(options),
          StoredIds.ofQueue(options),
          database -> Diagnostics.ofQueue(database, schema, options),
          new Sharing(false, Optional.empty()));
    }

    static Table adopted(AdoptedSchema schema, PostgresOptions options) {
      AdoptedColumns columns = schema.columns();
      AdoptedSql sql = new AdoptedSql(columns, options);
      return new Table(
          new OutboxSql(sql, options),
          new AppendSql(sql, options),
          new AppendCheck(columns),
          BlockedDestinationSql.ofAdopted(sql, options),
          QueueDeadLetters.Statements.ofAdopted(sql, options),
          StoredIds.ofAdopted(sql, options),
          database -> Diagnostics.ofAdopted(sql, database, schema, options),
          new Sharing(
              columns.layout().exclusive(),
              Optional.of(sql).filter(unused -> columns.layout().ordered())));
    }
  }

  /** How nodes share the table: one node at a time, or in the order of keys. */
  private record Sharing(boolean exclusive, Optional<AdoptedSql> ordered) {}

  @FunctionalInterface
  private interface DiagnosticsMaker {
    Diagnostics over(Database database);
  }

  /**
   * Opens the outbox in this database.
   *
   * @param dataSource a pool, or anything else that makes connections to one PostgreSQL primary; it
   *     stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws io.postroad.message.PostroadException when the server cannot be used: too old, a
   *     read-only replica, not reachable
   */
  public static PostgresCompetingStore open(DataSource dataSource, PostgresOptions options) {
    ServerCheck.run(dataSource);
    PostgresSchema schema = new PostgresSchema(dataSource, options);
    options.schemaMode().apply(schema);
    return new PostgresCompetingStore(dataSource, options, Table.ours(schema, options));
  }

  /**
   * Opens the outbox that a team already has: messages are in the table of the layout, and so is
   * their results; keys, decisions and pauses are in tables of Postroad. Missing columns are added
   * under {@link io.postroad.schema.SchemaMode#MIGRATE}.
   *
   * @throws io.postroad.layout.LayoutException when the layout does not fit the table, naming
   *     columns and reasons
   * @throws io.postroad.schema.SchemaException when something is missing, with the statements to
   *     run
   */
  public static PostgresCompetingStore open(
      DataSource dataSource, PostgresOptions options, Layout layout) {
    ServerCheck.run(dataSource);
    AdoptedSchema schema = new AdoptedSchema(dataSource, options, layout);
    options.schemaMode().apply(schema);
    return new PostgresCompetingStore(dataSource, options, Table.adopted(schema, options));
  }

  /**
   * Tells which of these messages the outbox has or had, delivered ones included. Reads on the
   * connection of the caller and changes nothing.
   */
  public Set<UUID> storedAmong(Connection connection, List<UUID> ids) throws SQLException {
    return storedIds.among(connection, ids);
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

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when it is for one destination and the store was opened without
   *     {@link PostgresOptions#streams()}
   */
  @Override
  public List<Claim> claim(ClaimRequest request) {
    if (!streams && request.destination().isPresent()) {
      throw new IllegalStateException(
          "cannot claim messages of destination '%s' only: this store has no index by destination;"
                  .formatted(request.destination().get())
              + " open it with PostgresOptions.withStreams(true)");
    }
    if (exclusive.isPresent() && !exclusive.get().mayClaim(request)) {
      return List.of();
    }
    order.ifPresent(keys -> keys.putOff(request.destination()));
    return claimer.claim(request);
  }

  @Override
  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    return settler.extend(claims, leaseFor);
  }

  @Override
  public boolean extend(Connection transaction, Claim claim, Duration leaseFor) {
    try {
      Appender.requireTransaction(transaction, "extend");
      return settler.extend(transaction, claim, leaseFor);
    } catch (SQLException failed) {
      throw SqlErrors.failed("extend the lease of message " + claim.id(), failed);
    }
  }

  @Override
  public Set<UUID> settle(List<Settlement> settlements) {
    Set<UUID> rejected = settler.settle(settlements);
    order.ifPresent(
        keys ->
            keys.wakeAfter(
                settlements.stream()
                    .filter(Settlement.Delivered.class::isInstance)
                    .map(settlement -> settlement.claim().message())));
    return rejected;
  }

  /**
   * {@inheritDoc}
   *
   * <p>One statement on the caller's connection, two in an ordered table of a team. Under
   * REPEATABLE READ or SERIALIZABLE it fails with SQLSTATE 40001 as its cause when the message was
   * changed after the transaction began: repeat the whole transaction.
   */
  @Override
  public boolean settle(Connection transaction, Settlement settlement) {
    try {
      Appender.requireTransaction(transaction, "settle");
      boolean settled = settler.settle(transaction, settlement);
      if (settled && order.isPresent() && settlement instanceof Settlement.Delivered) {
        wake(order.get(), transaction, settlement.claim().message());
      }
      return settled;
    } catch (SQLException failed) {
      throw SqlErrors.failed("settle message " + settlement.claim().id(), failed);
    }
  }

  private void wake(KeyOrder keys, Connection transaction, Message delivered) throws SQLException {
    boolean ours = transactions.current().filter(unit -> unit == transaction).isPresent();
    if (keys.wakeBehind(transaction, delivered) && ours) {
      transactions.afterCommit(wakeUps::signal);
    }
  }

  @Override
  public Set<String> blockedDestinations() {
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
    return diagnostics.examine();
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
  public List<BlockedDestination> blocked() {
    return inspector.blocked();
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
    exclusive.ifPresent(ExclusiveLease::release);
    wakeUps.close();
  }
}
