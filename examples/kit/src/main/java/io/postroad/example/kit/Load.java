package io.postroad.example.kit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Asks for one thing after the other on some threads, until the application does not answer. */
public final class Load {
  private static final long LOOK_EVERY_MILLIS = 10;

  private final Request request;
  private final Set<String> answered = ConcurrentHashMap.newKeySet();
  private final Set<String> unanswered = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /** Asks for the thing with this name; several threads do. */
  @FunctionalInterface
  public interface Request {
    /** Whether it was done. */
    boolean ask(String name) throws IOException, InterruptedException;
  }

  /** Begins at once; names are {@code load-THREAD-NUMBER}. */
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

  /** Those that were said to be done. */
  public Set<String> answered() {
    return answered;
  }

  /** Those of which nothing was said: they may be done or not. */
  public Set<String> unanswered() {
    return unanswered;
  }

  public void awaitAnswers(int count) throws InterruptedException {
    while (answered.size() < count && threads.stream().anyMatch(Thread::isAlive)) {
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
  }

  /** Returns when no request is under way. */
  public void stop() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
