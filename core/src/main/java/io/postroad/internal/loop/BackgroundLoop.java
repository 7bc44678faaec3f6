package io.postroad.internal.loop;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a pass on its own thread until it is asked to stop. A pass that throws is logged once and
 * repeated at a slowing pace.
 */
public final class BackgroundLoop {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);

  /** The work that a loop repeats. */
  public interface Pass {
    /** Does the work once; returns how long to wait before the next pass, zero for no wait. */
    Duration runOnce();

    /** Ends the work; called last, on the same thread, after the loop was asked to stop. */
    default void finish() {}
  }

  private final String name;
  private final Pass pass;
  private final Waiter waiter;
  private final Pace retryPace;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;
  private int failures;

  public BackgroundLoop(
      String name, Pass pass, Waiter waiter, Pace retryPace, ThreadFactory threads) {
    this.name = name;
    this.pass = pass;
    this.waiter = waiter;
    this.retryPace = retryPace;
    this.thread = threads.newThread(this::run);
    this.thread.setName(name);
  }

  public void start() {
    thread.start();
  }

  public void askToStop() {
    stopping.set(true);
    waiter.signal();
  }

  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Waits for the end; interrupts the thread if that takes longer than {@code atMost}. */
  public void awaitEnd(Duration atMost) throws InterruptedException {
    if (!ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.warn("{}: did not stop within {}, interrupting it", name, atMost);
      thread.interrupt();
    }
  }

  /** Asks all loops to stop, then waits for each; an interrupt ends the wait. */
  public static void stopAll(Collection<BackgroundLoop> loops, Duration atMost) {
    loops.forEach(BackgroundLoop::askToStop);
    try {
      for (BackgroundLoop loop : loops) {
        loop.awaitEnd(atMost);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!stopping.get()) {
        Duration pause = runGuarded();
        if (!pause.isZero()) {
          waiter.await(pause);
        }
        if (Thread.currentThread().isInterrupted()) {
          LOG.error(
              "{}: interrupted, leaving; it does no more work until it is started again", name);
          return;
        }
      }
      pass.finish();
    } catch (RuntimeException | Error failed) {
      LOG.error(
          "{}: could not finish cleanly; leases of unsettled messages will expire", name, failed);
    } finally {
      ended.countDown();
    }
  }

  private Duration runGuarded() {
    try {
      Duration pause = pass.runOnce();
      if (failures > 0) {
        LOG.info("{}: works again; failures={}", name, failures);
        failures = 0;
        retryPace.reset();
      }
      return pause;
    } catch (RuntimeException | Error failed) {
      failures++;
      if (failures == 1) {
        LOG.warn("{}: failed, trying again; error={}", name, ErrorText.of(failed));
      }
      LOG.debug("{}: failed; failures={}", name, failures, failed);
      return retryPace.next();
    }
  }
}
