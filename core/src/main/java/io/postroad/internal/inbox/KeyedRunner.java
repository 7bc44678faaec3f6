package io.postroad.internal.inbox;

import io.postroad.internal.loop.Check;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on a few threads, those of one key one after the other in the order in which they
 * came. For transports.
 *
 * <p>Safe to use from many threads. It takes any number of tasks: whoever hands them over bounds
 * them.
 */
public final class KeyedRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeyedRunner.class);

  private final ExecutorService threads;
  private final Map<Object, Queue<Runnable>> lines = new HashMap<>();

  /** A runner with so many threads. */
  public KeyedRunner(String name, int concurrency) {
    Check.atLeast(1, concurrency, "concurrency");
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            concurrency,
            work -> {
              Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs a task after all of its key that were handed over before.
   *
   * @throws RejectedExecutionException when it is closed
   */
  public void run(Object key, Runnable task) {
    synchronized (lines) {
      Queue<Runnable> line = lines.get(key);
      if (line != null && !threads.isShutdown()) {
        line.add(task);
        return;
      }
      // First, so that a line that nobody works off is never begun.
      threads.execute(() -> runFirst(key));
      Queue<Runnable> begun = new ArrayDeque<>();
      begun.add(task);
      lines.put(key, begun);
    }
  }

  /** One task at a time, so that a long line does not keep its thread from the others. */
  private void runFirst(Object key) {
    runGuarded(first(key));
    synchronized (lines) {
      Queue<Runnable> line = line(key);
      line.remove();
      if (line.isEmpty()) {
        lines.remove(key);
      } else if (!threads.isShutdown()) {
        threads.execute(() -> runFirst(key));
      }
    }
  }

  private Runnable first(Object key) {
    synchronized (lines) {
      return line(key).element();
    }
  }

  private Queue<Runnable> line(Object key) {
    Queue<Runnable> line = lines.get(key);
    if (line == null) {
      throw new IllegalStateException("the line of a key that is being run is gone");
    }
    return line;
  }

  private static void runGuarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failed) {
      LOG.error("a task failed that should have told of its failure itself", failed);
    } finally {
      // A task that was interrupted must not take the next one along.
      boolean unused = Thread.interrupted();
    }
  }

  /** Interrupts what runs, drops what waits, and gives the threads a moment to end. */
  @Override
  public void close() {
    close(Duration.ofSeconds(5));
  }

  /** {@link #close()} with a moment of this length. */
  public void close(Duration atMost) {
    synchronized (lines) {
      threads.shutdownNow();
    }
    try {
      if (!threads.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("handlers did not end within {} after an interrupt, leaving them", atMost);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
