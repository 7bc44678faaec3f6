package io.postroad.inbox;

import io.postroad.internal.loop.Check;
import io.postroad.internal.loop.NodeName;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options of an {@link Inbox}. Immutable; the defaults pass every check.
 *
 * @param name the name of this inbox in logs and thread names, and the owner of its leases; {@code
 *     inbox-}, the host, the process id and a random part
 * @param handlerTimeout the time after which a running handler is interrupted; 10 s
 * @param concurrency the number of handlers that run at once for the retry line, and for {@link
 *     Inbox#localSender()}; 10. Use at most half of the connection pool
 * @param queueFor how long a message may wait for a free handler before it is read again; 10 s
 * @param retention how long entries of handled messages are kept; 14 days. Must be longer than the
 *     time in which the broker may deliver a message again
 * @param purgeEvery the interval between removals of old entries; 1 min
 * @param unhandled the treatment of a message without a handler
 * @param maxErrorLength the number of characters of an error that are logged and signalled; 2,048
 * @param retries the options of the retry line's relay: attempts, backoff, leases, and the
 *     treatment of a key with a dead letter
 */
public record InboxOptions(
    String name,
    Duration handlerTimeout,
    int concurrency,
    Duration queueFor,
    Duration retention,
    Duration purgeEvery,
    Unhandled unhandled,
    int maxErrorLength,
    RelayOptions retries) {

  /** The treatment of a message that no handler wants. */
  public enum Unhandled {
    /**
     * Acknowledges the message and signals {@link InboxSignal.Ignored}. For destinations with
     * messages for other services.
     */
    IGNORE,
    /** Makes the message a dead letter. For destinations where every message needs a handler. */
    DEAD_LETTER
  }

  private static final Duration MARGIN = Duration.ofSeconds(1);

  public InboxOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("InboxOptions.name must not be empty; name the node");
    }
    Check.positive(handlerTimeout, "InboxOptions.handlerTimeout");
    Check.atLeast(1, concurrency, "InboxOptions.concurrency");
    Check.positive(queueFor, "InboxOptions.queueFor");
    Check.positive(retention, "InboxOptions.retention");
    Check.positive(purgeEvery, "InboxOptions.purgeEvery");
    Check.atLeast(16, maxErrorLength, "InboxOptions.maxErrorLength");
  }

  public static InboxOptions defaults() {
    String name = NodeName.of("inbox");
    return new InboxOptions(
        name,
        Duration.ofSeconds(10),
        10,
        Duration.ofSeconds(10),
        Duration.ofDays(14),
        Duration.ofMinutes(1),
        Unhandled.IGNORE,
        2048,
        RelayOptions.defaults()
            .withName(name + "-retry")
            .withBatch(20)
            .withMaxBatch(100)
            .withBreakAfter(0));
  }

  /** Returns the longest time from handing a message to a handler until its outcome. */
  public Duration longestDelivery() {
    return handlerTimeout.plus(queueFor).plus(MARGIN);
  }

  /** Sets the name, also of the retry line's relay. */
  public InboxOptions withName(String name) {
    return with(
        draft -> {
          draft.name = name;
          draft.retries = retries.withName(name + "-retry");
        });
  }

  /**
   * Sets the time limits of handlers and queued messages, and the options of the retry line's
   * relay.
   */
  public InboxOptions withTimes(Duration handlerTimeout, Duration queueFor, RelayOptions retries) {
    return with(
        draft -> {
          draft.handlerTimeout = handlerTimeout;
          draft.queueFor = queueFor;
          draft.retries = retries;
        });
  }

  public InboxOptions withConcurrency(int concurrency) {
    return with(draft -> draft.concurrency = concurrency);
  }

  public InboxOptions withRetention(Duration retention) {
    return with(draft -> draft.retention = retention);
  }

  public InboxOptions withPurgeEvery(Duration purgeEvery) {
    return with(draft -> draft.purgeEvery = purgeEvery);
  }

  public InboxOptions withUnhandled(Unhandled unhandled) {
    return with(draft -> draft.unhandled = unhandled);
  }

  public InboxOptions withRetries(RelayOptions retries) {
    return with(draft -> draft.retries = retries);
  }

  private InboxOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Mutable copy of the options. */
  private static final class Draft {
    private String name;
    private Duration handlerTimeout;
    private int concurrency;
    private Duration queueFor;
    private Duration retention;
    private Duration purgeEvery;
    private Unhandled unhandled;
    private int maxErrorLength;
    private RelayOptions retries;

    Draft(InboxOptions from) {
      name = from.name;
      handlerTimeout = from.handlerTimeout;
      concurrency = from.concurrency;
      queueFor = from.queueFor;
      retention = from.retention;
      purgeEvery = from.purgeEvery;
      unhandled = from.unhandled;
      maxErrorLength = from.maxErrorLength;
      retries = from.retries;
    }

    InboxOptions options() {
      return new InboxOptions(
          name,
          handlerTimeout,
          concurrency,
          queueFor,
          retention,
          purgeEvery,
          unhandled,
          maxErrorLength,
          retries);
    }
  }
}
