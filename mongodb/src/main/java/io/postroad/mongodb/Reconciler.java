package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Lease;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.hint.Threads;
import io.postroad.store.AppendResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds messages that a crash has lost in the no-transaction mode, and appends them again.
 *
 * <p>There your data is written first and the message second. What says that a message was due is
 * your data itself, the head; what says that it arrived is the result it leads to. On a schedule,
 * on one node at a time, this asks for both and appends the message of every head that has no
 * result.
 *
 * <pre>{@code
 * Reconciler<Page> reconciler =
 *     Reconciler.of(store, "snapshots", new Reconciler.Queries<>(
 *         () -> pages.changedInTheLastHour(),            // heads
 *         page -> snapshots.exists(page.id(), page.revision()),  // their expected results
 *         page -> pageChanged(page)));                   // what is appended where one is missing
 * reconciler.start(Duration.ofMinutes(1));
 * }</pre>
 *
 * <p>Give the message an id or a deduplication key that follows from the head: then one that is
 * stored and only waits to be delivered is not appended twice. Safe to use from many threads. A
 * crash in a run is made up for by the next one, on any node, at most a minute after the lease of
 * this one has ended.
 *
 * @param <H> a head
 */
public final class Reconciler<H> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final MongoCompetingStore store;
  private final String name;
  private final Queries<H> queries;
  private final Duration deduplicateFor;
  private final Lease lease;
  private @Nullable Thread thread;
  private volatile boolean closed;

  /**
   * What is asked, by the user's own code.
   *
   * @param heads the latest of your data for which a message was due; a bounded number
   * @param expected whether the result of a head's message is there
   * @param message the message of a head
   */
  public record Queries<H>(Heads<H> heads, Expected<H> expected, MessageOf<H> message) {}

  /** The head query. */
  @FunctionalInterface
  public interface Heads<H> {
    Iterable<H> find();
  }

  /** The expected-result query. */
  @FunctionalInterface
  public interface Expected<H> {
    boolean exists(H head);
  }

  /** Makes the message of a head. */
  @FunctionalInterface
  public interface MessageOf<H> {
    Message make(H head);
  }

  /**
   * What one run did.
   *
   * @param looked how many heads it looked at; 0 also when another node is at it
   * @param appended how many messages were missing
   */
  public record Run(int looked, int appended) {}

  private Reconciler(
      MongoCompetingStore store, String name, Queries<H> queries, Duration deduplicateFor) {
    this.store = store;
    this.name = name;
    this.queries = queries;
    this.deduplicateFor = deduplicateFor;
    this.lease = store.lease("reconciler/" + name);
  }

  /**
   * A reconciler; not started.
   *
   * @param name the same on every node; one node runs it at a time
   */
  public static <H> Reconciler<H> of(MongoCompetingStore store, String name, Queries<H> queries) {
    return new Reconciler<>(store, name, queries, Duration.ofDays(7));
  }

  /** Runs it now, and then so long after the end of each run, until it is closed. */
  public synchronized void start(Duration every) {
    if (thread == null && !closed) {
      thread = Threads.daemon("postroad-reconcile-" + name, () -> run(every));
      thread.start();
    }
  }

  /** One run, on the caller's thread; does nothing while another node holds the lease. */
  public Run runOnce() {
    int looked = 0;
    int appended = 0;
    if (!holds()) {
      return new Run(0, 0);
    }
    for (H head : queries.heads().find()) {
      looked++;
      if (!queries.expected().exists(head)) {
        if (!holds()) {
          break;
        }
        appended += append(queries.message().make(head)) ? 1 : 0;
      }
    }
    if (appended > 0) {
      LOG.info(
          "mongodb {}: missing messages appended: looked={} appended={}", name, looked, appended);
      store.wakeUps().signal();
    }
    return new Run(looked, appended);
  }

  private boolean holds() {
    return Database.call("lease the reconciler '" + name + "'", () -> lease.hold(LEASE));
  }

  private boolean append(Message message) {
    if (store.find(message.id()).isPresent()) {
      return false;
    }
    OutboxStore<ClientSession> outbox = store;
    return outbox
        .transactions()
        .<Boolean, RuntimeException>call(
            session ->
                outbox.append(session, List.of(message), deduplicateFor).get(0)
                    instanceof AppendResult.Appended);
  }

  private void run(Duration every) {
    while (!closed && !Thread.currentThread().isInterrupted()) {
      try {
        Run unused = runOnce();
      } catch (RuntimeException failed) {
        LOG.warn(
            "mongodb {}: reconciling failed and is tried again: error={}",
            name,
            failed.getMessage());
      }
      Threads.pause(every.toMillis(), () -> closed);
    }
  }

  /** Ends it and lets another node run it at once. */
  @Override
  public void close() {
    closed = true;
    @Nullable Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      LockSupport.unpark(running);
      Threads.end(running);
    }
    try {
      lease.release();
    } catch (RuntimeException failed) {
      LOG.debug("mongodb {}: the lease ends by itself", name, failed);
    }
  }
}
