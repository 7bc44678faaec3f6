package io.postroad.store;

import java.util.List;

/**
 * What a purge did.
 *
 * @param messages how many messages were removed; an estimate where whole tables go at once
 * @param more whether it stopped at its limit, so that another call would remove more
 * @param blockedBy who keeps space from being freed that is due, in words that a person can act on;
 *     empty when nobody does
 */
public record PurgeResult(long messages, boolean more, List<String> blockedBy) {
  public PurgeResult {
    blockedBy = List.copyOf(blockedBy);
  }

  /** Nothing stood in the way. */
  public static PurgeResult removed(long messages, boolean more) {
    return new PurgeResult(messages, more, List.of());
  }
}
