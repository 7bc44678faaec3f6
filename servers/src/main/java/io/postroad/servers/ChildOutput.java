package io.postroad.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Last lines that a process printed, and the lines that no caller has waited for. Thread-safe. */
final class ChildOutput {
  private static final int KEPT_LINES = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<String> all = new ArrayDeque<>();
  private final Deque<String> unread = new ArrayDeque<>();
  private boolean ended;

  /** Reads the stream to its end on a thread of its own. */
  static ChildOutput of(InputStream stream, String name) {
    ChildOutput output = new ChildOutput();
    Thread reader = new Thread(() -> output.readAll(stream), name);
    reader.setDaemon(true);
    reader.start();
    return output;
  }

  private void readAll(InputStream stream) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      String line;
      while ((line = reader.readLine()) != null) {
        add(line);
      }
    } catch (IOException closed) {
      // The process was killed; what it printed before is what there is.
    } finally {
      end();
    }
  }

  private void add(String line) {
    lock.lock();
    try {
      for (Deque<String> lines : List.of(all, unread)) {
        if (lines.size() == KEPT_LINES) {
          lines.removeFirst();
        }
        lines.addLast(line);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  List<String> lines() {
    lock.lock();
    try {
      return List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  /** Takes unread lines up to the wanted one; empty when time or the output is over. */
  Optional<String> await(Predicate<String> wanted, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        while (!unread.isEmpty()) {
          String line = unread.removeFirst();
          if (wanted.test(line)) {
            return Optional.of(line);
          }
        }
        if (ended || left <= 0) {
          return Optional.empty();
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
