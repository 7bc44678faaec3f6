package io.postroad.test;

import io.postroad.message.PostroadException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names that an open transaction uses, and for which others wait until it ends: what a unique index
 * does in a database. Two transactions that wait for each other are found out, and the later fails.
 */
final class NameLocks {
  private final Object monitor;
  private final Map<String, InMemoryTransaction> holders = new HashMap<>();
  private final Map<InMemoryTransaction, InMemoryTransaction> waits = new HashMap<>();

  /** Every method is called with this monitor held; waiting releases it. */
  NameLocks(Object monitor) {
    this.monitor = monitor;
  }

  void take(InMemoryTransaction transaction, String name) {
    InMemoryTransaction holder = holders.get(name);
    while (holder != null && holder != transaction) {
      refuseDeadlock(transaction, holder, name);
      waits.put(transaction, holder);
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        transaction.fail();
        throw new PostroadException("interrupted while waiting for another transaction's " + name);
      } finally {
        waits.remove(transaction);
      }
      transaction.requireOpen();
      holder = holders.get(name);
    }
    holders.put(name, transaction);
  }

  /** Takes a name; whether this transaction did not have it before. */
  boolean takeFirst(InMemoryTransaction transaction, String name) {
    boolean first = holders.get(name) != transaction;
    take(transaction, name);
    return first;
  }

  boolean isTaken(String name) {
    return holders.containsKey(name);
  }

  boolean isTakenByAnother(InMemoryTransaction transaction, String name) {
    InMemoryTransaction holder = holders.get(name);
    return holder != null && holder != transaction;
  }

  void releaseAll(InMemoryTransaction transaction) {
    holders.values().removeIf(holder -> holder == transaction);
    monitor.notifyAll();
  }

  private void refuseDeadlock(
      InMemoryTransaction transaction, InMemoryTransaction holder, String name) {
    for (@Nullable InMemoryTransaction next = holder; next != null; next = waits.get(next)) {
      if (next == transaction) {
        transaction.fail();
        throw new PostroadException(
            "deadlock: this transaction waits for %s, whose user waits for this one; roll back and"
                    .formatted(name)
                + " try again, and use keys in one order everywhere");
      }
    }
  }
}
