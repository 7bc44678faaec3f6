package io.postroad.test;

import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreFixture;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** The competing store in memory on a manual clock. */
public class InMemoryFixture implements StoreFixture<InMemoryTransaction> {
  final ManualClock clock = ManualClock.startingNow();

  @Override
  public String name() {
    return "in-memory";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(
        Capability.REMOTE_WAKE_UP,
        Capability.INBOX,
        Capability.COMMANDS,
        Capability.PROCESSES,
        Capability.STREAMS,
        Capability.UNIQUE_IDS,
        Capability.LONG_TEXTS,
        Capability.EXPIRING_KEYS);
  }

  @Override
  public Map<Capability, String> lacks() {
    return Map.of(
        Capability.SCHEMA,
        "memory has no schema",
        Capability.HELD_ROWS,
        "a claim is one step under a lock",
        Capability.RECOVERY,
        "of ordered stores only");
  }

  @Override
  public OutboxStore<InMemoryTransaction> open() {
    return new InMemoryCompetingStore(clock);
  }

  @Override
  public OutboxStore<InMemoryTransaction> openAnother(OutboxStore<InMemoryTransaction> first) {
    return ((InMemoryStore) first).anotherNode();
  }

  @Override
  public InboxStore<InMemoryTransaction> openInbox(OutboxStore<InMemoryTransaction> store) {
    return ((InMemoryStore) store).inbox();
  }

  @Override
  public CommandStore<InMemoryTransaction> openCommands(OutboxStore<InMemoryTransaction> store) {
    return ((InMemoryStore) store).commands();
  }

  @Override
  public ProcessStore<InMemoryTransaction> openProcesses(OutboxStore<InMemoryTransaction> store) {
    return ((InMemoryStore) store).processes();
  }

  @Override
  public void advance(Duration by) {
    clock.advance(by);
  }

  @Override
  public InMemoryTransaction begin(OutboxStore<InMemoryTransaction> store) {
    return ((InMemoryStore) store).begin();
  }

  @Override
  public void commit(InMemoryTransaction transaction) {
    transaction.commit();
  }

  @Override
  public void rollback(InMemoryTransaction transaction) {
    transaction.rollback();
  }

  @Override
  public void rollBackInside(InMemoryTransaction transaction, boolean isGoingOn) {
    transaction.rollback();
  }

  @Override
  public InMemoryTransaction notATransaction(OutboxStore<InMemoryTransaction> store) {
    InMemoryTransaction ended = begin(store);
    ended.commit();
    return ended;
  }

  @Override
  public void release(InMemoryTransaction notATransaction) {
    notATransaction.close();
  }

  @Override
  public void close() {}
}
