package io.postroad.example.payment.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Approves payments one after the other on some threads, until the application does not answer. */
final class Load {
  private static final long LOOK_EVERY_MILLIS = 10;

  private final Service service;
  private final Set<String> answered;
  private final Set<String> unanswered;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /**
   * @param answered gets each payment that was said to be approved
   * @param unanswered gets each payment of which nothing was said
   */
  Load(Service service, Set<String> answered, Set<String> unanswered, int count) {
    this.service = service;
    this.answered = answered;
    this.unanswered = unanswered;
    for (int i = 0; i < count; i++) {
      String name = "load-" + i;
      Thread thread = new Thread(() -> run(name), name);
      threads.add(thread);
      thread.start();
    }
  }

  private void run(String name) {
    for (int i = 0; !ended; i++) {
      String payment = name + "-" + i;
      try {
        if (service.approve(payment, name).statusCode() == 201) {
          answered.add(payment);
        }
      } catch (IOException gone) {
        unanswered.add(payment);
        return;
      } catch (InterruptedException stopped) {
        unanswered.add(payment);
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  void awaitAnswers(int count) throws InterruptedException {
    while (answered.size() < count && threads.stream().anyMatch(Thread::isAlive)) {
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
  }

  void stop() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
