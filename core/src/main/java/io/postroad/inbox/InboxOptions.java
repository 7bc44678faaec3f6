package io.postroad.inbox;

import io.postroad.internal.loop.Check;
import io.postroad.internal.loop.NodeName;
import io.postroad.outbox.RelayOptions;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How an {@link Inbox} works. Immutable; the defaults pass every check.
 *
 * @param name of this inbox in logs, threads and as the owner of leases; {@code inbox-}, the host,
 *     the process id and a part that is drawn anew at each start
 * @param handlerTimeout how long a handler may take before it is interrupted; 10 s
 * @param concurrency handlers that run at once for the retry line, and for {@link
 *     Inbox#localSender()}; 10. Keep it at half the connection pool at most
 * @param queueFor how long a message may wait for a free handler before it is read again; 10 s
 * @param retention how long is remembered what was handled; 14 days. Longer than the broker keeps
 *     messages that may come again
 * @param purgeEvery how often what is past its retention is forgotten; 1 min
 * @param unhandled what becomes of a message that no handler wants
 * @param maxErrorLength characters of an error that are logged and signalled; 2,048
 * @param retries how the retry line is worked off: attempts, backoff, leases, what becomes of a key
 *     whose message dies
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

  /** What becomes of a message that no handler wants. */
  public enum Unhandled {
    /** It is acknowledged and told to the observer: a topic has messages that are not for us. */
    IGNORE,
    /** It becomes a dead letter: whatever comes here should have a handler. */
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

  /** From handing a message to a handler to its outcome, at most. */
  public Duration longestDelivery() {
    return handlerTimeout.plus(queueFor).plus(MARGIN);
  }

  /** Also names the relay of the retry line after it. */
  public InboxOptions withName(String name) {
    return with(
        draft -> {
          draft.name = name;
          draft.retries = retries.withName(name + "-retry");
        });
  }

  /** Changes how long handlers and queued messages may take, and how retries are worked off. */
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

  /** Options of which some are about to change. */
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
