package io.postroad.tck.contract.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.OutboxStore;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Relays for tests, and waiting for what they do. */
public final class Relays {
  public static final String NAME = "relay-1";
  public static final Duration FIRST_WAIT = Duration.ofMinutes(10);
  public static final Duration LEASE = Duration.ofMinutes(30);
  public static final int MAX_ATTEMPTS = 3;
  private static final Duration CLOCK_STEP = Duration.ofMillis(10);

  private Relays() {}

  /** Without jitter, and with waits that no test outlasts by itself. */
  public static RelayOptions options() {
    return RelayOptions.defaults()
        .withName(NAME)
        .withLeaseFor(LEASE)
        .withLaneLeaseFor(LEASE)
        .withMaxAttempts(MAX_ATTEMPTS)
        .withBackoff(new Backoff(FIRST_WAIT, 2, Duration.ofDays(1), 0));
  }

  public static OutboxRelay relay(StoreUnderTest tck, MessageSender sender) throws Exception {
    return relay(tck, tck.store(), sender, options());
  }

  public static OutboxRelay relay(
      StoreUnderTest tck, OutboxStore<Object> node, MessageSender sender, RelayOptions options) {
    return tck.closedAtEnd(builder(node, sender).options(options).build());
  }

  public static OutboxRelay.Builder builder(OutboxStore<Object> node, MessageSender sender) {
    return OutboxRelay.builder(node, sender);
  }

  /**
   * Passes until nothing is due; a store that always has something due fails instead of hanging.
   */
  public static RelayPass drain(OutboxRelay relay) {
    RelayPass all = relay.runOnce();
    RelayPass last = all;
    for (int passes = 1; last.claimed() > 0; passes++) {
      assertThat(passes).as("passes that found something due").isLessThan(100);
      last = relay.runOnce();
      all = all.plus(last);
    }
    return all;
  }

  /** Appends through an {@link Outbox}, in a unit of work of its own. */
  public static void append(OutboxStore<Object> node, List<Message> messages) {
    Outbox<Object> outbox = Outbox.over(node);
    node.transactions().run(transaction -> outbox.appendAll(messages));
  }

  public static void append(OutboxStore<Object> node, Message message) {
    append(node, List.of(message));
  }

  /** Looks again and again until an assertion holds, and fails as it does after a minute. */
  public static void eventually(ThrowingAssert assertion) throws Exception {
    eventually(() -> {}, assertion);
  }

  /** The same, while the database's clock goes on: what waits for a retry comes back. */
  public static void eventually(StoreUnderTest tck, ThrowingAssert assertion) throws Exception {
    eventually(() -> tck.advance(CLOCK_STEP), assertion);
  }

  private static void eventually(ThrowingAssert meanwhile, ThrowingAssert assertion)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError notYet) {
        if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
          throw notYet;
        }
        meanwhile.run();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  /** Something that is true, or fails with an {@link AssertionError}. */
  @FunctionalInterface
  public interface ThrowingAssert {
    void run() throws Exception;
  }
}
