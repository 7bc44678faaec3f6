package io.postroad.mongodb.internal.client;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import io.postroad.spi.hint.Threads;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the hints of other nodes, on a thread and a change stream of its own, until it is closed.
 * Used once. The driver resumes a stream that is cut off; one that cannot go on, also because its
 * history is lost, is begun anew from now on, and the gap counts as a hint.
 */
final class SignalListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SignalListener.class);

  /** How long the server waits for an event: also how long a close may take. */
  private static final long WAIT_MILLIS = 500;

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  private final SignalDocument signal;
  private final Runnable hint;
  private final Thread thread;
  private volatile boolean closed;
  private boolean disturbed;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  SignalListener(SignalDocument signal, Runnable hint) {
    this.signal = signal;
    this.hint = hint;
    this.thread = Threads.daemon("postroad-watch-" + signal.name(), this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!left()) {
      try (MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> events =
          signal.watch(WAIT_MILLIS)) {
        listen(events);
      } catch (RuntimeException failed) {
        report(failed);
      }
      if (!left()) {
        Threads.pause(pauseMillis, () -> closed);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  private void listen(MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> events) {
    if (disturbed && !left()) {
      LOG.info("mongodb {}: hints of other nodes arrive again", signal.name());
      hint.run();
    }
    disturbed = false;
    while (!left()) {
      if (events.tryNext() != null) {
        hint.run();
      } else if (events.getServerCursor() == null) {
        throw new IllegalStateException("the change stream has ended");
      }
      pauseMillis = FIRST_PAUSE_MILLIS;
    }
  }

  private boolean left() {
    return closed || Thread.currentThread().isInterrupted();
  }

  private void report(RuntimeException failed) {
    if (!disturbed && !left()) {
      LOG.warn(
          "mongodb {}: no hints of other nodes, polling finds their messages; tried again in the"
              + " background: error={}",
          signal.name(),
          failed.getMessage());
    }
    disturbed = true;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    if (!Threads.hasEnded(thread)) {
      Threads.end(thread);
    }
  }
}
