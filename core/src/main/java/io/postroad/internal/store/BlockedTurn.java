package io.postroad.internal.store;

import java.util.List;
import java.util.function.Predicate;

/** Selects which messages of blocked keys are taken next. */
public final class BlockedTurn {
  private BlockedTurn() {}

  /**
   * Returns the messages to take: all up to the first whose last attempt was never settled, or only
   * that message when it is the first. It may have killed its relay, so no other message is sent
   * with it.
   *
   * @param ready messages of due keys, in order per key, without dead ones and their followers
   */
  public static <M> List<M> of(List<M> ready, Predicate<M> isUnsettled) {
    int count = 0;
    while (count < ready.size() && !isUnsettled.test(ready.get(count))) {
      count++;
    }
    return ready.subList(0, Math.min(Math.max(count, 1), ready.size()));
  }
}
