package io.postroad.example.wiki.work;

import io.postroad.example.wiki.store.DeadLetterArchive;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates {@code outbox_dead} soon after an event has died on this node, and every minute, because
 * of crashes and deaths on other nodes.
 *
 * <p>Thread-safe. Events that die at the same time are copied together.
 */
public final class DeadLetterSweeper implements OutboxObserver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterSweeper.class);
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration SOON = Duration.ofMillis(100);

  private final DeadLetterArchive archive;
  private final AtomicBoolean died = new AtomicBoolean();
  private final AtomicBoolean decided = new AtomicBoolean();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          body -> {
            Thread daemon = new Thread(body, "dead-letter-sweeper");
            daemon.setDaemon(true);
            return daemon;
          });

  public DeadLetterSweeper(DeadLetterArchive archive) {
    this.archive = archive;
  }

  public void start() {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> run(archive::runOnce), 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void on(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.Died) {
      soon(died, archive::copyNew);
    }
  }

  /** Updates the copies soon, after a decision about an event. */
  public void look() {
    soon(decided, archive::clean);
  }

  private void soon(AtomicBoolean asked, Runnable what) {
    if (asked.compareAndSet(false, true) && !thread.isShutdown()) {
      var unused =
          thread.schedule(
              () -> {
                asked.set(false);
                run(what);
              },
              SOON.toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  private static void run(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException failed) {
      LOG.warn("dead letters were not copied, will try again: error={}", failed.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
