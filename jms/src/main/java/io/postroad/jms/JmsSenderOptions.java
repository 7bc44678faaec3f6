package io.postroad.jms;

import java.time.Duration;

/**
 * How a {@link JmsSender} uses its connection. Immutable; wrong values are refused here.
 *
 * @param sendTimeout how long a message may take from the call to its outcome, with waiting for a
 *     connection. Default 15 s: the lease of a competing store must be longer
 * @param sessions how many JMS sessions, and so transactions, are used at the same time; lanes and
 *     queues take turns. Default 4: more of them only wait for the same disk. A transaction that
 *     takes longer than a second no longer counts
 * @param batchSize how many messages, all to one queue, go into one transaction at most. Default
 *     500: enough to pay for the commit, and small enough for a broker that keeps a transaction in
 *     memory
 * @param reconnectAfter how long to wait before the second try to connect; doubles with each try.
 *     Default 200 ms
 * @param reconnectAtMost the longest wait between two tries. Default 10 s: within the send timeout,
 *     so that a broker that is back is found by the call that waits for it
 */
public record JmsSenderOptions(
    Duration sendTimeout,
    int sessions,
    int batchSize,
    Duration reconnectAfter,
    Duration reconnectAtMost) {

  /**
   * Checks everything.
   *
   * @throws IllegalArgumentException naming the option, its value and what is allowed
   */
  public JmsSenderOptions {
    Check.positive(sendTimeout, "JmsSenderOptions.sendTimeout");
    Check.positive(sessions, "JmsSenderOptions.sessions");
    Check.positive(batchSize, "JmsSenderOptions.batchSize");
    Check.backoff(reconnectAfter, reconnectAtMost, "JmsSenderOptions");
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

  /** With other waits between tries to connect: the first one, and the longest. */
  public JmsSenderOptions withReconnect(Duration after, Duration atMost) {
    return new JmsSenderOptions(sendTimeout, sessions, batchSize, after, atMost);
  }
}
