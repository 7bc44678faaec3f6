package io.postroad.test;

import io.postroad.spi.process.ProcessQueries;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredDefinitions;
import io.postroad.spi.process.StoredProcesses;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Processes in memory, for tests, in the database of an outbox in memory: {@link
 * InMemoryStore#processes()}. A transaction that locks or starts a process waits for another
 * transaction that has it locked, as with a row and a unique index.
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
  public StoredProcesses<InMemoryTransaction> processes() {
    return database.processes;
  }

  @Override
  public ProcessQueries queries() {
    return database.processes;
  }

  @Override
  public StoredDefinitions definitions() {
    return database.definitions;
  }

  @Override
  public Optional<WaitingReplies<InMemoryTransaction>> waitingReplies() {
    return Optional.empty();
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    ProcessStore.checkLimit(limit);
    Instant before = now().minus(olderThan);
    int purged = database.processes.purge(before, limit);
    database.definitions.purge(before);
    return purged;
  }

  @Override
  public Duration tick() {
    return Duration.of(1, ChronoUnit.MICROS);
  }

  @Override
  public Instant now() {
    return database.now();
  }

  /** Does nothing. */
  @Override
  public void close() {}
}
