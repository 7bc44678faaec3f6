package io.postroad.example.market.shared.outbox;

import io.postroad.spi.OutboxStore;

/**
 * What is left of the team's poller. Claiming, publishing and settling is done by Postroad's relay,
 * on every node, each {@code app.outbox.poll-interval} at the latest.
 *
 * <p>Safe to use from many threads; no transaction is needed.
 */
public final class OutboxPoller {
  private final OutboxStore<?> store;

  public OutboxPoller(OutboxStore<?> store) {
    this.store = store;
  }

  /** Has the relays of all nodes look now, and does not wait for them. */
  public void poll() {
    store.wakeUps().signal();
  }
}
