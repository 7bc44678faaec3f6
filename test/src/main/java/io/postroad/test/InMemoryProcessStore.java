package io.postroad.test;

import io.postroad.spi.WaitingReply;
import io.postroad.spi.ProcessFilter;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.StoredDefinition;
import io.postroad.spi.StoredProcess;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Processes in memory, for tests, in the database of an outbox in memory: {@link
 * InMemoryStore#processes()}. A transaction that has a process locked, or starts one, makes others
 * that want the same wait until it has ended, as a row and a unique index do.
 *
 * <p>Safe to use from many threads. Nothing survives the JVM.
 */
public final class InMemoryProcessStore implements ProcessStore<InMemoryTransaction> {
  private final Database database;
  private final InMemoryTransactions transactions;

  InMemoryProcessStore(Database database, InMemoryTransactions transactions) {
    this.database = database;
    this.transactions = transactions;
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
  public Optional<UUID> start(
      InMemoryTransaction transaction, StoredProcess process, List<ProcessLogEntry> log) {
    return database.processes.start(transaction, process, log);
  }

  @Override
  public Optional<Locked> lock(InMemoryTransaction transaction, UUID id) {
    return database.processes.lock(transaction, id);
  }

  @Override
  public Optional<Locked> lockNow(InMemoryTransaction transaction, UUID id) {
    return database.processes.lockNow(transaction, id);
  }

  @Override
  public Optional<Locked> lockDue(InMemoryTransaction transaction) {
    return database.processes.lockDue(transaction);
  }

  @Override
  public void save(
      InMemoryTransaction transaction, StoredProcess process, List<ProcessLogEntry> log) {
    database.processes.save(transaction, process, log);
  }

  @Override
  public void saveKnown(
      InMemoryTransaction transaction,
      long knownSeq,
      StoredProcess process,
      List<ProcessLogEntry> log) {
    database.processes.saveKnown(transaction, knownSeq, process, log);
  }

  @Override
  public void postpone(UUID id, Duration delay) {
    database.processes.postpone(id, delay);
  }

  @Override
  public Optional<StoredProcess> find(UUID id) {
    return database.processes.find(id);
  }

  @Override
  public List<StoredProcess> list(ProcessFilter filter, int limit) {
    ProcessStore.checkLimit(limit);
    return database.processes.list(filter, limit);
  }

  @Override
  public Map<String, Long> counts() {
    return database.processes.counts();
  }

  @Override
  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    ProcessStore.checkLimit(limit);
    return database.processes.log(processId, afterSeq, limit);
  }

  @Override
  public void keep(StoredDefinition definition) {
    database.definitions.keep(definition);
  }

  @Override
  public Optional<StoredDefinition> definition(String type, String hash) {
    return database.definitions.find(type, hash);
  }

  @Override
  public Optional<Instant> keptSince(String type, String hash) {
    return database.definitions.keptSince(type, hash);
  }

  @Override
  public Map<String, Long> live(String type) {
    return database.processes.live(type);
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    ProcessStore.checkLimit(limit);
    Instant before = now().minus(olderThan);
    int forgotten = database.processes.purge(before, limit);
    database.definitions.purge(before);
    return forgotten;
  }

  /** Who wants a process that another has locked waits here. */
  @Override
  public boolean parksBranches() {
    return false;
  }

  @Override
  public void park(InMemoryTransaction transaction, WaitingReply arrival) {
    throw new UnsupportedOperationException(
        "the store in memory writes down no replies for later, parksBranches is false: lock"
            + " process %s and save it".formatted(arrival.processId()));
  }

  @Override
  public List<WaitingReply> takeParked(InMemoryTransaction transaction, UUID processId) {
    return List.of();
  }

  @Override
  public List<UUID> parked(int limit, Collection<UUID> except) {
    ProcessStore.checkLimit(limit);
    return List.of();
  }

  @Override
  public Duration tick() {
    return Duration.of(1, ChronoUnit.MICROS);
  }

  @Override
  public Instant now() {
    return database.now();
  }

  /** There is nothing to end. */
  @Override
  public void close() {}
}
