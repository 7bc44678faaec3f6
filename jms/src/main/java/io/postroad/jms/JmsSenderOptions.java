package io.postroad.jms;

import io.postroad.internal.loop.Check;
import java.time.Duration;

/**
 * Options of a {@link JmsSender}. Immutable. The constructor refuses wrong values.
 *
 * @param sendTimeout the longest time from a call to its outcome, with waiting for a connection; 15
 *     s. The lease of a competing store must be longer
 * @param sessions the number of JMS sessions, and so of transactions, at the same time; lanes and
 *     queues take turns; 4. More sessions only wait for the same disk. A transaction that takes
 *     longer than a second no longer counts
 * @param batchSize the most messages, all to one queue, in one transaction; 500. That is enough to
 *     pay for the commit, and small enough for a broker that keeps a transaction in memory
 * @param reconnectAfter the wait before the second attempt to connect; doubles with each attempt;
 *     200 ms
 * @param reconnectAtMost the longest wait between two attempts; 10 s. It is within the send
 *     timeout, so that a waiting call finds a broker that is back
 */
public record JmsSenderOptions(
    Duration sendTimeout,
    int sessions,
    int batchSize,
    Duration reconnectAfter,
    Duration reconnectAtMost) {

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException if a value is wrong; the text has the option, its value and
   *     the allowed ones
   */
  public JmsSenderOptions {
    Check.positive(sendTimeout, "JmsSenderOptions.sendTimeout");
    Check.atLeast(1, sessions, "JmsSenderOptions.sessions");
    Check.atLeast(1, batchSize, "JmsSenderOptions.batchSize");
    Check.positive(reconnectAfter, "JmsSenderOptions.reconnectAfter");
    Check.notBelow(
        reconnectAfter, reconnectAtMost, "JmsSenderOptions.reconnectAtMost", "reconnectAfter");
  }

  public static JmsSenderOptions defaults() {
    return new JmsSenderOptions(
        Duration.ofSeconds(15), 4, 500, Duration.ofMillis(200), Duration.ofSeconds(10));
  }

  public JmsSenderOptions withSendTimeout(Duration newTimeout) {
    return new JmsSenderOptions(newTimeout, sessions, batchSize, reconnectAfter, reconnectAtMost);
  }

  public JmsSenderOptions withSessions(int newSessions) {
    return new JmsSenderOptions(
        sendTimeout, newSessions, batchSize, reconnectAfter, reconnectAtMost);
  }

  public JmsSenderOptions withBatchSize(int newBatchSize) {
    return new JmsSenderOptions(
        sendTimeout, sessions, newBatchSize, reconnectAfter, reconnectAtMost);
  }

  /** Sets the first and the longest wait between attempts to connect. */
  public JmsSenderOptions withReconnect(Duration after, Duration atMost) {
    return new JmsSenderOptions(sendTimeout, sessions, batchSize, after, atMost);
  }
}
