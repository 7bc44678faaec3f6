package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.WakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Finding;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The common base of both kinds of stores in memory. */
public abstract sealed class InMemoryStore implements OutboxStore<InMemoryTransaction>
    permits InMemoryCompetingStore, InMemoryOrderedStore {
  private final Database database;
  private final InMemoryTransactions transactions;
  private final InMemoryWakeUps wakeUps;
  private final InMemoryDeadLetters deadLetters;
  private final InMemoryPauses pauses;

  InMemoryStore(Database database, InMemoryWakeUps wakeUps) {
    this.database = database;
    this.transactions = new InMemoryTransactions(database);
    this.wakeUps = wakeUps;
    this.deadLetters = new InMemoryDeadLetters(database, wakeUps);
    this.pauses = new InMemoryPauses(database, wakeUps);
  }

  /** Another node: a store of its own over the same messages and the same clock. */
  public abstract InMemoryStore anotherNode();

  /** An inbox in the same database: one transaction can use both. */
  public final InMemoryInboxStore inbox() {
    return new InMemoryInboxStore(database, transactions);
  }

  /** The commands of the same database: one transaction can use both. */
  public final InMemoryCommandStore commands() {
    return new InMemoryCommandStore(database, transactions, wakeUps.another());
  }

  /** The processes of the same database: one transaction can use all of them. */
  public final InMemoryProcessStore processes() {
    return new InMemoryProcessStore(database, transactions);
  }

  /** The wake-ups of another node. */
  final InMemoryWakeUps wakeUpsElsewhere() {
    return wakeUps.another();
  }

  /** A transaction that the caller commits or rolls back, outside of {@link #transactions()}. */
  public final InMemoryTransaction begin() {
    return new InMemoryTransaction(database);
  }

  @Override
  public final Transactions<InMemoryTransaction> transactions() {
    return transactions;
  }

  @Override
  public final WakeUps wakeUps() {
    return wakeUps;
  }

  @Override
  public final List<AppendResult> append(
      InMemoryTransaction transaction, List<Message> messages, Duration deduplicateFor) {
    return database.append(transaction, messages, deduplicateFor);
  }

  @Override
  public final PurgeResult purge(Duration olderThan, int limit) {
    return database.purge(olderThan, limit);
  }

  @Override
  public final Optional<StoredMessage> find(UUID id) {
    return database.find(id);
  }

  @Override
  public final DeadLetterStore deadLetters() {
    return deadLetters;
  }

  final InMemoryDeadLetters people() {
    return deadLetters;
  }

  @Override
  public final PauseStore pauses() {
    return pauses;
  }

  @Override
  public final List<BlockedDestination> blocked() {
    return database.blocked();
  }

  @Override
  public final Backlog backlog() {
    return database.backlog();
  }

  @Override
  public final List<Finding> examine() {
    return database.examine();
  }

  @Override
  public final Instant now() {
    return database.now();
  }

  /** Ends the subscriptions of this node; the messages stay for the other nodes. */
  @Override
  public final void close() {
    wakeUps.closeAll();
  }
}
