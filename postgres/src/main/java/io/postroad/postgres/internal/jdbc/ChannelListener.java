package io.postroad.postgres.internal.jdbc;

import io.postroad.spi.hint.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the hints of other nodes, on a thread and a connection of its own, until it is closed. Used
 * once. A connection that is lost is replaced, and the gap counts as a hint.
 */
final class ChannelListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelListener.class);

  /** A wait cannot be interrupted, so this is also how long a close takes at most. */
  private static final int WAIT_MILLIS = 250;

  private static final int QUIET_SECONDS = 5;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  private final NotifyChannel channel;
  private final Runnable hint;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable Connection connection;
  private boolean disturbed;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  ChannelListener(NotifyChannel channel, Runnable hint) {
    this.channel = channel;
    this.hint = hint;
    this.thread = Threads.daemon("postroad-listen-" + channel.name(), this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!left()) {
      try {
        boolean heard = channel.borrow(this::listenOn);
        if (!heard) {
          report("LISTEN hears nothing; is there a transaction pooler in between?");
        }
      } catch (SQLException | RuntimeException failed) {
        report(String.valueOf(failed.getMessage()));
      }
      if (!left()) {
        Threads.pause(pauseMillis, () -> closed);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  /**
   * Gives the connection back without a subscription, or dead.
   *
   * @return whether anything could be heard
   */
  private boolean listenOn(Connection borrowed) throws SQLException {
    boolean clean = false;
    connection = borrowed;
    try {
      PGConnection listening = channel.listen(borrowed);
      boolean hears = hearsEcho(listening);
      if (hears) {
        channel.announce(borrowed);
        hearUntilLeft(borrowed, listening);
        channel.withdraw(borrowed);
      }
      // Behind a pooler most likely on the server connection that LISTEN ran on. If not, that one
      // hears our next tries, until the pooler closes it.
      channel.unlisten(borrowed);
      clean = true;
      return hears;
    } finally {
      connection = null;
      if (!clean) {
        borrowed.abort(Runnable::run);
      }
    }
  }

  private void hearUntilLeft(Connection borrowed, PGConnection listening) throws SQLException {
    if (disturbed && !left()) {
      LOG.info("postgres {}: notifications of other nodes arrive again", channel.name());
      disturbed = false;
      hint.run();
    }
    pauseMillis = FIRST_PAUSE_MILLIS;
    long quietSince = System.nanoTime();
    while (!left()) {
      if (!hear(listening).nothing()) {
        quietSince = System.nanoTime();
      } else if (isLong(quietSince)) {
        if (!borrowed.isValid(QUIET_SECONDS)) {
          throw new SQLException("the listening connection is dead", "08006");
        }
        quietSince = System.nanoTime();
      }
    }
  }

  /**
   * Behind a pooler that gives a server connection per transaction, LISTEN succeeds and nothing
   * ever arrives. So a notification that goes out on another connection must come back.
   */
  private boolean hearsEcho(PGConnection listening) throws SQLException {
    channel.echo();
    long sentAt = System.nanoTime();
    while (!left() && !isLong(sentAt)) {
      if (hear(listening).ourselves()) {
        return true;
      }
    }
    return false;
  }

  private NotifyChannel.Heard hear(PGConnection listening) throws SQLException {
    NotifyChannel.Heard heard = channel.await(listening, WAIT_MILLIS);
    if (heard.others()) {
      hint.run();
    }
    return heard;
  }

  private static boolean isLong(long since) {
    return System.nanoTime() - since >= TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
  }

  private boolean left() {
    return closed || Thread.currentThread().isInterrupted();
  }

  private void report(String error) {
    if (!disturbed && !left()) {
      LOG.warn(
          "postgres {}: no notifications of other nodes, polling finds their messages; tried again"
              + " in the background: error={}",
          channel.name(),
          error);
    }
    disturbed = true;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    if (!Threads.hasEnded(thread)) {
      abort();
      Threads.end(thread);
    }
  }

  private void abort() {
    @Nullable Connection stuck = connection;
    if (stuck != null) {
      try {
        stuck.abort(Runnable::run);
      } catch (SQLException gone) {
        LOG.debug("postgres {}: the listening connection was gone already", channel.name());
      }
    }
  }
}
