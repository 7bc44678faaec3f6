package io.postroad.outbox;

import io.postroad.internal.loop.Check;
import java.time.Duration;

/**
 * Options of an {@link Outbox}. Immutable.
 *
 * @param maxPayloadBytes largest payload that append takes; 1 MiB, which is what brokers take by
 *     default
 * @param deduplicateFor how long a deduplication key is remembered; 7 days, longer than retries
 */
public record OutboxOptions(int maxPayloadBytes, Duration deduplicateFor) {
  public OutboxOptions {
    Check.atLeast(1, maxPayloadBytes, "OutboxOptions.maxPayloadBytes");
    Check.positive(deduplicateFor, "OutboxOptions.deduplicateFor");
  }

  public static OutboxOptions defaults() {
    return new OutboxOptions(1 << 20, Duration.ofDays(7));
  }

  public OutboxOptions withMaxPayloadBytes(int maxPayloadBytes) {
    return new OutboxOptions(maxPayloadBytes, deduplicateFor);
  }

  public OutboxOptions withDeduplicateFor(Duration deduplicateFor) {
    return new OutboxOptions(maxPayloadBytes, deduplicateFor);
  }
}
