package io.postroad.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a sender or receiver: made when it is first needed, and again after trouble, by
 * one thread while the others wait. Thread-safe.
 */
final class Links {
  private final ConnectionFactory connections;
  private final Reconnect reconnect;
  private final ExecutorService closer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Link current;
  private boolean connecting;
  private boolean closed;
  private String trouble = "not connected yet";

  Links(String name, ConnectionFactory connections, Duration after, Duration atMost) {
    this.connections = connections;
    this.reconnect = new Reconnect(name, "without a connection to the broker", after, atMost);
    this.closer = Executors.newCachedThreadPool(Daemons.named("postroad-" + name + "-closer"));
  }

  /**
   * Lends a session, as soon as there is a connection.
   *
   * @param deadline the nano time at which to give up
   */
  PooledSession borrow(long deadline) throws NoSessionException {
    while (true) {
      Link link = link(deadline);
      try {
        PooledSession session = link.take();
        reconnect.succeeded();
        return session;
      } catch (JMSException | RuntimeException e) {
        if (!link.isOver()) {
          link.retire();
          failed(e);
        }
      }
    }
  }

  /** Another session on the connection of one that failed, if that connection still works. */
  PooledSession another(PooledSession failed) throws NoSessionException {
    try {
      if (!failed.link().isClosed()) {
        return failed.link().fresh();
      }
    } catch (JMSException | RuntimeException e) {
      failed.link().retire();
      failed(e);
      throw new NoSessionException("its connection broke: " + SendFailure.describe(e));
    } finally {
      discard(failed);
    }
    throw new NoSessionException("its connection broke");
  }

  void discard(PooledSession session) {
    session.link().noLongerUsed(session);
    closer.execute(session::close);
  }

  /** Closes a session that seems to be stuck; what comes next gets another connection. */
  void abandon(PooledSession session) {
    session.link().abandon();
    discard(session);
  }

  private Link link(long deadline) throws NoSessionException {
    lock.lock();
    try {
      while (!closed) {
        if (current != null && !current.isOver()) {
          return current;
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new NoSessionException("no connection to the broker: " + trouble);
        }
        long toNextTry = reconnect.nanosToNextTry();
        if (connecting || toNextTry > 0) {
          var unused =
              changed.await(connecting ? left : Math.min(left, toNextTry), TimeUnit.NANOSECONDS);
        } else {
          connect();
        }
      }
      throw new NoSessionException("it is closed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoSessionException("the thread was interrupted");
    } finally {
      lock.unlock();
    }
  }

  /** Called with the lock, which is open while the broker is asked. */
  private void connect() {
    connecting = true;
    @Nullable Link made = null;
    @Nullable Exception failure = null;
    lock.unlock();
    try {
      made = made();
    } catch (JMSException | RuntimeException e) {
      failure = e;
    } finally {
      lock.lock();
      connecting = false;
      changed.signalAll();
    }
    if (failure != null) {
      failedLocked(failure);
    } else if (closed && made != null) {
      made.retire();
    } else {
      current = made;
    }
  }

  private Link made() throws JMSException {
    Connection connection = connections.createConnection();
    try {
      Link link = new Link(connection, closer);
      connection.start();
      return link;
    } catch (JMSException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void failed(Exception why) {
    lock.lock();
    try {
      failedLocked(why);
    } finally {
      lock.unlock();
    }
  }

  private void failedLocked(Exception why) {
    trouble = SendFailure.describe(why);
    if (!closed) {
      reconnect.failed(trouble);
    }
  }

  /**
   * Lets consumers get nothing more, for a stop: else what one gives back goes to the next, and the
   * broker counts a delivery each time. Waits a moment for the broker.
   */
  void pause(Duration atMost) {
    @Nullable Link link;
    lock.lock();
    try {
      link = current;
    } finally {
      lock.unlock();
    }
    if (link != null && !link.isOver()) {
      try {
        var unused = closer.submit(link::pause).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException brokerIsSilent) {
        // Nothing is delivered then.
      }
    }
  }

  /** Does not wait: the connection is closed by a thread of its own. */
  void close() {
    lock.lock();
    try {
      closed = true;
      if (current != null) {
        current.retire();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
