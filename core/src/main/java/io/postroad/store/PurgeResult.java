package io.postroad.store;

import java.util.List;

/**
 * The result of a purge.
 *
 * @param messages how many messages were removed; an estimate where whole tables go at once
 * @param more whether it stopped at its limit, so that another call would remove more
 * @param blockedBy the sessions that keep space from being freed, in words that an operator can act
 *     on; empty when there are none
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
