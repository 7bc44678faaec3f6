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

/** One connection and its idle sessions, until the first failure. Thread-safe. */
final class BrokerConnection {
  private final Connection connection;
  private final Executor closer;
  private final Deque<PooledSession> idle = new ArrayDeque<>();
  private final Set<PooledSession> inUse = new HashSet<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private boolean abandoned;

  /**
   * @param closer closes connections, which may block while a broker does not answer
   */
  BrokerConnection(Connection connection, Executor closer) throws JMSException {
    this.connection = connection;
    this.closer = closer;
    connection.setExceptionListener(e -> retire());
  }

  /** Returns whether the connection gets no new users. */
  synchronized boolean isOver() {
    return abandoned || over.get();
  }

  /** Returns whether the connection is closed or about to be. */
  boolean isClosed() {
    return over.get();
  }

  /** Returns a session for one user at a time. Creates one if no session is idle. */
  PooledSession take() throws JMSException {
    PooledSession pooled = poll();
    return pooled != null ? pooled : fresh();
  }

  /** Creates a session. Its success shows that the connection works. */
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

  /** Removes a session, which its user closes. */
  synchronized void noLongerUsed(PooledSession session) {
    inUse.remove(session);
    if (abandoned && inUse.isEmpty()) {
      retire();
    }
  }

  /**
   * Gives the connection no new users, because one of its sessions seems to be stuck. It is closed
   * when its last user is done, which also ends a session that did not end by its own close.
   */
  synchronized void abandon() {
    abandoned = true;
  }

  /** Stops the delivery to consumers. May block while a broker does not answer. */
  void pause() {
    try {
      connection.stop();
    } catch (JMSException | RuntimeException ignored) {
      // Then the broker delivers nothing either.
    }
  }

  /** Closes the connection on another thread, which ends all its users. Does not wait. */
  void retire() {
    if (over.compareAndSet(false, true)) {
      closer.execute(this::close);
    }
  }

  private void close() {
    try {
      connection.close();
    } catch (JMSException | RuntimeException ignored) {
      // The connection is closed because it is no longer used.
    }
  }
}
