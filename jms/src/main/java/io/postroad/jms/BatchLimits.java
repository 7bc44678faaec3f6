package io.postroad.jms;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of messages in one transaction of a queue: {@code batchSize} of the options,
 * and fewer for a queue with transactions that timed out. A broker that makes senders wait while a
 * queue is full counts the messages of open transactions, so a transaction larger than the queue
 * would wait for itself.
 *
 * <p>Each timeout halves the limit. After a number of commits of its size the limit doubles. Each
 * timeout doubles that number, so that a small queue is seldom tried with too large transactions.
 * Thread-safe.
 */
final class BatchLimits {
  private static final int COMMITS_TO_RISE = 10;
  private static final int MAX_COMMITS_TO_RISE = 100_000;

  private final int max;
  private final ConcurrentMap<String, Limit> lowered = new ConcurrentHashMap<>();

  private record Limit(int messages, int commitsToRise, int commits) {}

  BatchLimits(int max) {
    this.max = max;
  }

  int of(String queue) {
    Limit limit = lowered.get(queue);
    return limit == null ? max : limit.messages;
  }

  /** Lowers the limit after a timeout. A transaction of one message does not count. */
  void timedOut(String queue, int messages) {
    if (messages > 1) {
      lowered.merge(
          queue,
          new Limit(messages / 2, COMMITS_TO_RISE, 0),
          (before, now) ->
              new Limit(
                  Math.min(before.messages, now.messages),
                  Math.min(MAX_COMMITS_TO_RISE, 2 * before.commitsToRise),
                  0));
    }
  }

  /** Records a commit. */
  void committed(String queue, int messages) {
    if (!lowered.isEmpty()) {
      lowered.computeIfPresent(queue, (same, limit) -> after(limit, messages));
    }
  }

  /** Returns the next limit; null for none. */
  private @Nullable Limit after(Limit limit, int messages) {
    if (messages < limit.messages) {
      return limit;
    }
    if (limit.commits + 1 < limit.commitsToRise) {
      return new Limit(limit.messages, limit.commitsToRise, limit.commits + 1);
    }
    return 2 * limit.messages < max ? new Limit(2 * limit.messages, limit.commitsToRise, 0) : null;
  }
}
