package io.postroad.example.kit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Sends one request after the other on several threads, until the application does not answer. */
public final class Load {
  private static final long POLL_EVERY_MILLIS = 10;

  private final Request request;
  private final Set<String> answered = ConcurrentHashMap.newKeySet();
  private final Set<String> unanswered = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /** Sends the request with this name. Thread-safe. */
  @FunctionalInterface
  public interface Request {
    /** Returns whether the application confirmed the request. */
    boolean ask(String name) throws IOException, InterruptedException;
  }

  /** Starts at once; request names are {@code load-THREAD-NUMBER}. */
  public Load(Request request, int count) {
    this.request = request;
    for (int i = 0; i < count; i++) {
      String name = "load-" + i;
      Thread thread = new Thread(() -> run(name), name);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(String thread) {
    for (int i = 0; !ended; i++) {
      String name = thread + "-" + i;
      try {
        if (request.ask(name)) {
          answered.add(name);
        }
      } catch (IOException gone) {
        unanswered.add(name);
        return;
      } catch (InterruptedException stopped) {
        unanswered.add(name);
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Returns the names of confirmed requests. */
  public Set<String> answered() {
    return answered;
  }

  /** Returns the names of requests without an answer, which may have been executed or not. */
  public Set<String> unanswered() {
    return unanswered;
  }

  public void awaitAnswers(int count) throws InterruptedException {
    while (answered.size() < count && threads.stream().anyMatch(Thread::isAlive)) {
      Thread.sleep(POLL_EVERY_MILLIS);
    }
  }

  /** Stops sending, and returns when no request is open. */
  public void stop() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
