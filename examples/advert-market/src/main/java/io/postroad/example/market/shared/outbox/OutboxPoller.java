package io.postroad.example.market.shared.outbox;

import io.postroad.spi.OutboxStore;

/**
 * The rest of the team's poller. Postroad's relay claims, publishes and settles entries on every
 * node, at the latest after {@code app.outbox.poll-interval}.
 *
 * <p>Thread-safe; needs no transaction.
 */
public final class OutboxPoller {
  private final OutboxStore<?> store;

  public OutboxPoller(OutboxStore<?> store) {
    this.store = store;
  }

  /** Wakes the relays of all nodes, and does not wait for them. */
  public void poll() {
    store.wakeUps().signal();
  }
}
