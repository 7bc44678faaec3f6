package io.postroad.spring.boot.test;

import io.postroad.command.CommandBus;
import io.postroad.inbox.Inbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.process.BaseProcessManager;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Does all due work on the caller's thread, until none is left: handles commands, fires timers,
 * sends messages, and tries failed messages again. Used by one thread.
 */
public final class PostroadDrain {
  /** More than any test needs: only work that creates work without end gets here. */
  private static final int MOST_ROUNDS = 1_000;

  private final ObjectProvider<OutboxRelay> relay;
  private final ObjectProvider<Inbox<?>> inbox;
  private final ObjectProvider<CommandBus<?>> bus;
  private final ObjectProvider<BaseProcessManager<?>> processes;

  PostroadDrain(
      ObjectProvider<OutboxRelay> relay,
      ObjectProvider<Inbox<?>> inbox,
      ObjectProvider<CommandBus<?>> bus,
      ObjectProvider<BaseProcessManager<?>> processes) {
    this.relay = relay;
    this.inbox = inbox;
    this.bus = bus;
    this.processes = processes;
  }

  /**
   * Does all due work; returns the number of sent messages, handled commands and fired timers.
   *
   * @throws IllegalStateException if there is always more due work
   */
  public int now() {
    int all = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      int done = once();
      if (done == 0) {
        return all;
      }
      all += done;
    }
    throw new IllegalStateException(
        "after %d rounds there is still something due: does a handler cause itself to be called?"
            .formatted(MOST_ROUNDS));
  }

  private int once() {
    inbox.ifAvailable(Inbox::runOnce);
    return commands() + sent();
  }

  private int commands() {
    @Nullable BaseProcessManager<?> manager = processes.getIfAvailable();
    if (manager != null) {
      return manager.runOnce();
    }
    @Nullable CommandBus<?> alone = bus.getIfAvailable();
    return alone == null ? 0 : alone.runOnce();
  }

  private int sent() {
    @Nullable OutboxRelay sending = relay.getIfAvailable();
    return sending == null ? 0 : sending.drain().claimed();
  }
}
