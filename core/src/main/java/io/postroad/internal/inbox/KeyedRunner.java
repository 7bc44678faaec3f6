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
 * Runs tasks on a few threads: tasks of one key one after the other, in the order of their arrival.
 * Used by transports.
 *
 * <p>Thread-safe. The queues are unbounded, so callers limit the number of tasks.
 */
public final class KeyedRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeyedRunner.class);

  private final ExecutorService threads;
  private final Map<Object, Queue<Runnable>> queues = new HashMap<>();

  /** Creates a runner with a number of threads. */
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
   * Runs a task after all earlier tasks of its key.
   *
   * @throws RejectedExecutionException if the runner is closed
   */
  public void run(Object key, Runnable task) {
    synchronized (queues) {
      Queue<Runnable> queue = queues.get(key);
      if (queue != null && !threads.isShutdown()) {
        queue.add(task);
        return;
      }
      // First, because it may throw: a queue without a thread must not be left behind.
      threads.execute(() -> runFirst(key));
      Queue<Runnable> begun = new ArrayDeque<>();
      begun.add(task);
      queues.put(key, begun);
    }
  }

  /**
   * Runs one task and hands the rest of the queue back to the pool, so that a long queue does not
   * occupy its thread.
   */
  private void runFirst(Object key) {
    runGuarded(first(key));
    synchronized (queues) {
      Queue<Runnable> queue = queue(key);
      queue.remove();
      if (queue.isEmpty()) {
        queues.remove(key);
      } else if (!threads.isShutdown()) {
        threads.execute(() -> runFirst(key));
      }
    }
  }

  private Runnable first(Object key) {
    synchronized (queues) {
      return queue(key).element();
    }
  }

  private Queue<Runnable> queue(Object key) {
    Queue<Runnable> queue = queues.get(key);
    if (queue == null) {
      throw new IllegalStateException("the queue of a key disappeared while its task ran");
    }
    return queue;
  }

  private static void runGuarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failed) {
      LOG.error("a task threw an exception; tasks must handle their own failures", failed);
    } finally {
      // An interrupt of this task must not reach the next one.
      boolean unused = Thread.interrupted();
    }
  }

  /** Interrupts running tasks, drops queued ones and waits up to 5 s for the threads to end. */
  @Override
  public void close() {
    close(Duration.ofSeconds(5));
  }

  /** Interrupts running tasks, drops queued ones and waits for the threads to end. */
  public void close(Duration atMost) {
    synchronized (queues) {
      threads.shutdownNow();
    }
    try {
      if (!threads.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn(
            "handlers did not end within {} after an interrupt; they are left running", atMost);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
