package io.postroad.test;

import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.WakeUps;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps commands in memory, for tests, in the database of an outbox in memory: {@link
 * InMemoryStore#commands()}. A transaction that accepts a key makes others that accept the same key
 * wait until it has ended, as a unique index does.
 *
 * <p>Safe to use from many threads. Nothing survives the JVM.
 */
public final class InMemoryCommandStore implements CommandStore<InMemoryTransaction> {
  private final Database database;
  private final InMemoryTransactions transactions;
  private final InMemoryWakeUps wakeUps;

  InMemoryCommandStore(
      Database database, InMemoryTransactions transactions, InMemoryWakeUps wakeUps) {
    this.database = database;
    this.transactions = transactions;
    this.wakeUps = wakeUps;
  }

  @Override
  public String name() {
    return "in-memory";
  }

  @Override
  public Transactions<InMemoryTransaction> transactions() {
    return transactions;
  }

  @Override
  public WakeUps wakeUps() {
    return wakeUps;
  }

  @Override
  public Acceptance accept(InMemoryTransaction transaction, NewCommand command) {
    return database.commands.accept(transaction, command);
  }

  @Override
  public Acceptance acceptTaken(
      InMemoryTransaction transaction, NewCommand command, String owner, Duration leaseFor) {
    CommandQueue.checkTakeable(command);
    return database.commands.acceptTaken(transaction, command, owner, leaseFor);
  }

  @Override
  public List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor) {
    CommandStore.checkLimit(limit);
    return database.commands.claim(owner, types, limit, leaseFor);
  }

  @Override
  public Opening open(InMemoryTransaction transaction, CommandClaim claim, Duration longest) {
    return database.commands.open(transaction, claim);
  }

  /** {@inheritDoc} Sets no limit: the nodes of a database in memory are all in one JVM. */
  @Override
  public boolean limit(InMemoryTransaction transaction, Duration longest) {
    return true;
  }

  @Override
  public boolean finish(
      InMemoryTransaction transaction, CommandClaim claim, CommandOutcome outcome) {
    return database.commands.finish(transaction, claim, outcome);
  }

  @Override
  public boolean finishUnended(
      InMemoryTransaction transaction, CommandClaim claim, CommandOutcome outcome) {
    return finish(transaction, claim, outcome);
  }

  @Override
  public boolean retry(CommandClaim claim, Duration delay, String error) {
    return database.commands.retry(claim, delay, error);
  }

  @Override
  public boolean handOver(CommandClaim claim, Duration pause, String why) {
    return database.commands.handOver(claim, pause, why);
  }

  @Override
  public Set<UUID> release(Collection<CommandClaim> claims) {
    return database.commands.release(claims);
  }

  @Override
  public Optional<StoredCommand> cancel(
      InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    return database.commands.cancel(transaction, id, outcome);
  }

  @Override
  public Optional<StoredCommand> recall(
      InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    return database.commands.recall(transaction, id, outcome);
  }

  @Override
  public List<StoredCommand> expire(
      InMemoryTransaction transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    CommandStore.checkLimit(limit);
    return database.commands.expire(transaction, outcome, limit, except);
  }

  @Override
  public Optional<StoredCommand> reply(
      InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    return database.commands.reply(transaction, id, outcome);
  }

  @Override
  public Optional<StoredCommand> replyNow(
      InMemoryTransaction transaction, UUID id, CommandOutcome outcome) {
    return database.commands.replyNow(transaction, id, outcome);
  }

  @Override
  public boolean arrived(InMemoryTransaction transaction, UUID id) {
    return database.commands.arrived(transaction, id);
  }

  @Override
  public Optional<Handoff<InMemoryTransaction>> handoff() {
    return Optional.empty();
  }

  @Override
  public Optional<StoredCommand> find(UUID id) {
    return database.commands.find(id);
  }

  @Override
  public Optional<StoredCommand> find(InMemoryTransaction transaction, UUID id) {
    return database.commands.find(transaction, id);
  }

  @Override
  public Optional<StoredCommand> findByKey(String idempotencyKey) {
    return database.commands.findByKey(idempotencyKey);
  }

  @Override
  public List<StoredCommand> finished(Collection<UUID> ids) {
    return database.commands.finished(ids);
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    CommandStore.checkLimit(limit);
    return database.commands.purge(now().minus(olderThan), limit);
  }

  /** {@inheritDoc} Nothing in memory fails for a while. */
  @Override
  public boolean isTransient(Throwable failure) {
    return false;
  }

  @Override
  public void abort(InMemoryTransaction transaction) {
    transaction.close();
  }

  @Override
  public Instant now() {
    return database.now();
  }

  /** Ends the subscriptions of this node. */
  @Override
  public void close() {
    wakeUps.closeAll();
  }
}
