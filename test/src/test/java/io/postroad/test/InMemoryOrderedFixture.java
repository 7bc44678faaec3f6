package io.postroad.test;

import io.postroad.spi.OutboxStore;
import io.postroad.tck.Capability;
import java.util.Map;
import java.util.Set;

/** The ordered store in memory on a manual clock. */
public final class InMemoryOrderedFixture extends InMemoryFixture {

  @Override
  public String name() {
    return "in-memory-ordered";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(
        Capability.REMOTE_WAKE_UP,
        Capability.RECOVERY,
        Capability.INBOX,
        Capability.COMMANDS,
        Capability.PROCESSES,
        Capability.LONG_TEXTS,
        Capability.EXPIRING_KEYS);
  }

  @Override
  public Map<Capability, String> lacks() {
    return Map.of(
        Capability.SCHEMA,
        "memory has no schema",
        Capability.HELD_ROWS,
        "of competing stores only",
        Capability.STREAMS,
        "of competing stores only",
        Capability.UNIQUE_IDS,
        "the log is not searched at append");
  }

  /** PostgreSQL runs the same contracts with one. */
  private static final int LANES = 4;

  @Override
  public OutboxStore<InMemoryTransaction> open() {
    return new InMemoryOrderedStore(clock, LANES);
  }

  @Override
  public OutboxStore<InMemoryTransaction> open(int lanes) {
    return new InMemoryOrderedStore(clock, lanes);
  }

  @Override
  public void forgetMemory(OutboxStore<InMemoryTransaction> store) {
    ((InMemoryOrderedStore) store).forgetMemory();
  }

  @Override
  public void changeCluster(OutboxStore<InMemoryTransaction> store) {
    ((InMemoryOrderedStore) store).changeCluster();
  }
}
