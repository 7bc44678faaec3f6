package io.postroad.jms;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * How many messages go into one transaction of a queue: as many as the options say, and fewer for a
 * queue whose transactions had no answer in time. A broker that makes senders wait while a queue is
 * full counts what an open transaction has sent, so one that is larger than the queue would wait
 * for itself.
 *
 * <p>A limit halves with each time-out. It doubles after some commits of its size; after twice as
 * many with each time-out, so that a queue that is always small is seldom tried with too much.
 * Thread-safe.
 */
final class BatchLimits {
  private static final int COMMITS_TO_RISE = 10;
  private static final int MOST_COMMITS_TO_RISE = 100_000;

  private final int most;
  private final ConcurrentMap<String, Limit> lowered = new ConcurrentHashMap<>();

  private record Limit(int messages, int commitsToRise, int commits) {}

  BatchLimits(int most) {
    this.most = most;
  }

  int of(String queue) {
    Limit limit = lowered.get(queue);
    return limit == null ? most : limit.messages;
  }

  /** A transaction had no answer in time. One message alone says nothing about its size. */
  void timedOut(String queue, int messages) {
    if (messages > 1) {
      lowered.merge(
          queue,
          new Limit(messages / 2, COMMITS_TO_RISE, 0),
          (before, now) ->
              new Limit(
                  Math.min(before.messages, now.messages),
                  Math.min(MOST_COMMITS_TO_RISE, 2 * before.commitsToRise),
                  0));
    }
  }

  /** A transaction was committed. */
  void committed(String queue, int messages) {
    if (!lowered.isEmpty()) {
      lowered.computeIfPresent(queue, (same, limit) -> after(limit, messages));
    }
  }

  /** The limit from then on; null for none. */
  private @Nullable Limit after(Limit limit, int messages) {
    if (messages < limit.messages) {
      return limit;
    }
    if (limit.commits + 1 < limit.commitsToRise) {
      return new Limit(limit.messages, limit.commitsToRise, limit.commits + 1);
    }
    return 2 * limit.messages < most ? new Limit(2 * limit.messages, limit.commitsToRise, 0) : null;
  }
}
