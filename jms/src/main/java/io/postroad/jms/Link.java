package io.postroad.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One connection and its idle sessions, until the first sign of trouble. Thread-safe. */
final class Link {
  private final Connection connection;
  private final Executor closer;
  private final Deque<PooledSession> idle = new ArrayDeque<>();
  private final Set<PooledSession> inUse = new HashSet<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private boolean abandoned;

  /**
   * @param closer closes connections: that may block as long as a broker is silent
   */
  Link(Connection connection, Executor closer) throws JMSException {
    this.connection = connection;
    this.closer = closer;
    connection.setExceptionListener(e -> retire());
  }

  /** Whether it gets no new users. */
  synchronized boolean isOver() {
    return abandoned || over.get();
  }

  /** Whether its connection is closed, or about to be. */
  boolean isClosed() {
    return over.get();
  }

  /** A session for one user at a time. Asks the broker if there is no idle one. */
  PooledSession take() throws JMSException {
    PooledSession pooled = poll();
    return pooled != null ? pooled : fresh();
  }

  /** A session that nobody used before; that there is one shows that the connection works. */
  PooledSession fresh() throws JMSException {
    PooledSession made =
        new PooledSession(this, connection.createSession(true, Session.SESSION_TRANSACTED));
    synchronized (this) {
      inUse.add(made);
    }
    return made;
  }

  private synchronized @Nullable PooledSession poll() {
    @Nullable PooledSession pooled = idle.poll();
    if (pooled != null) {
      inUse.add(pooled);
    }
    return pooled;
  }

  synchronized void giveBack(PooledSession session) {
    if (!isOver()) {
      idle.push(session);
    }
    noLongerUsed(session);
  }

  /** Its user closes it. */
  synchronized void noLongerUsed(PooledSession session) {
    inUse.remove(session);
    if (abandoned && inUse.isEmpty()) {
      retire();
    }
  }

  /**
   * A session of it seems to be stuck: it gets no new users, and is closed when those that it has
   * are done, which ends a session that its own closing did not end.
   */
  synchronized void abandon() {
    abandoned = true;
  }

  /** Consumers get nothing more. May block as long as a broker is silent. */
  void pause() {
    try {
      connection.stop();
    } catch (JMSException | RuntimeException ignored) {
      // Then there is no delivery either.
    }
  }

  /** Nobody gets it any more; it is closed, which ends what still uses it. Does not wait. */
  void retire() {
    if (over.compareAndSet(false, true)) {
      closer.execute(this::close);
    }
  }

  private void close() {
    try {
      connection.close();
    } catch (JMSException | RuntimeException ignored) {
      // It is of no use any more, which is why it is closed.
    }
  }
}
