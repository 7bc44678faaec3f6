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
 * Keeps {@code outbox_dead} up to date: soon after an event has died here, and every minute,
 * because a crash may have come between, or another node may have died with it.
 *
 * <p>Safe to use from many threads. Many events that die together are copied together.
 */
public final class DeadLetterKeeper implements OutboxObserver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterKeeper.class);
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration SOON = Duration.ofMillis(100);

  private final DeadLetterArchive archive;
  private final AtomicBoolean died = new AtomicBoolean();
  private final AtomicBoolean decided = new AtomicBoolean();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          body -> {
            Thread daemon = new Thread(body, "dead-letter-keeper");
            daemon.setDaemon(true);
            return daemon;
          });

  public DeadLetterKeeper(DeadLetterArchive archive) {
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

  /** Has it look soon, because something was decided about. */
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
      LOG.warn("dead letters were not copied, tried again: error={}", failed.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
