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
 * Keeps the connection of a sender or receiver. One thread creates it on first use and after a
 * failure, while the others wait. Thread-safe.
 */
final class BrokerConnections {
  private final ConnectionFactory connections;
  private final Reconnect reconnect;
  private final ExecutorService closer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable BrokerConnection current;
  private boolean connecting;
  private boolean closed;
  private String lastFailure = "not connected yet";

  BrokerConnections(String name, ConnectionFactory connections, Duration after, Duration atMost) {
    this.connections = connections;
    this.reconnect = new Reconnect(name, "without a connection to the broker", after, atMost);
    this.closer = Executors.newCachedThreadPool(Daemons.named("postroad-" + name + "-closer"));
  }

  /**
   * Lends a session as soon as there is a connection.
   *
   * @param deadline the nano time at which to give up
   */
  PooledSession borrow(long deadline) throws NoSessionException {
    while (true) {
      BrokerConnection connection = connection(deadline);
      try {
        PooledSession session = connection.take();
        reconnect.succeeded();
        return session;
      } catch (JMSException | RuntimeException e) {
        if (!connection.isOver()) {
          connection.retire();
          failed(e);
        }
      }
    }
  }

  /** Returns another session of a failed session's connection, if that connection still works. */
  PooledSession another(PooledSession failed) throws NoSessionException {
    try {
      if (!failed.connection().isClosed()) {
        return failed.connection().fresh();
      }
    } catch (JMSException | RuntimeException e) {
      failed.connection().retire();
      failed(e);
      throw new NoSessionException("its connection broke: " + SendFailure.describe(e));
    } finally {
      discard(failed);
    }
    throw new NoSessionException("its connection broke");
  }

  void discard(PooledSession session) {
    session.connection().noLongerUsed(session);
    closer.execute(session::close);
  }

  /** Closes a session that seems to be stuck. Later users get another connection. */
  void abandon(PooledSession session) {
    session.connection().abandon();
    discard(session);
  }

  private BrokerConnection connection(long deadline) throws NoSessionException {
    lock.lock();
    try {
      while (!closed) {
        if (current != null && !current.isOver()) {
          return current;
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new NoSessionException("no connection to the broker: " + lastFailure);
        }
        long toNextTry = reconnect.nanosToNextTry();
        if (connecting || toNextTry > 0) {
          var unused =
              changed.await(connecting ? left : Math.min(left, toNextTry), TimeUnit.NANOSECONDS);
        } else {
          connect();
        }
      }
      throw new NoSessionException("the sender or receiver is closed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoSessionException("the thread was interrupted");
    } finally {
      lock.unlock();
    }
  }

  /** Connects. Called with the lock, which is released while the broker is asked. */
  private void connect() {
    connecting = true;
    @Nullable BrokerConnection created = null;
    @Nullable Exception failure = null;
    lock.unlock();
    try {
      created = create();
    } catch (JMSException | RuntimeException e) {
      failure = e;
    } finally {
      lock.lock();
      connecting = false;
      changed.signalAll();
    }
    if (failure != null) {
      failedLocked(failure);
    } else if (closed && created != null) {
      created.retire();
    } else {
      current = created;
    }
  }

  private BrokerConnection create() throws JMSException {
    Connection connection = connections.createConnection();
    try {
      BrokerConnection created = new BrokerConnection(connection, closer);
      connection.start();
      return created;
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
    lastFailure = SendFailure.describe(why);
    if (!closed) {
      reconnect.failed(lastFailure);
    }
  }

  /**
   * Stops the delivery to consumers before a stop. Otherwise messages that one consumer gives back
   * go to the next, and the broker counts a delivery each time. Waits a bounded time for the
   * broker.
   */
  void pause(Duration atMost) {
    @Nullable BrokerConnection connection;
    lock.lock();
    try {
      connection = current;
    } finally {
      lock.unlock();
    }
    if (connection != null && !connection.isOver()) {
      try {
        var unused = closer.submit(connection::pause).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException brokerIsSilent) {
        // Then the broker delivers nothing either.
      }
    }
  }

  /** Closes the connection on another thread. Does not wait. */
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
