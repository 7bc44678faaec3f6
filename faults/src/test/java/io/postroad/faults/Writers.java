package io.postroad.faults;

import io.postroad.message.Message;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writers under load: each transaction has one to five bookings, and one transaction in ten rolls
 * back after everything was written.
 *
 * <p>A writer that fails goes on with its next transaction: servers die in these tests. That it
 * commits again is seen by {@link #awaitMore}.
 */
final class Writers implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final int ACCOUNTS_EACH = 10;
  private static final Duration EVERY = Duration.ofMillis(15);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Bookings bookings;
  private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicInteger rolledBack = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(WRITERS);
  private final List<ScheduledFuture<?>> running = new ArrayList<>();

  private Writers(Bookings bookings) {
    this.bookings = bookings;
  }

  static Writers start(Scene scene, Seed seed) {
    Writers writers = new Writers(scene.bookings());
    SplittableRandom random = seed.random();
    for (int i = 0; i < WRITERS; i++) {
      writers.running.add(
          writers.threads.scheduleAtFixedRate(
              writers.new Writer(i, random.split())::writeOnce,
              0,
              EVERY.toNanos(),
              TimeUnit.NANOSECONDS));
    }
    return writers;
  }

  /** Events whose commit was acknowledged to the writer. */
  Set<UUID> acknowledged() {
    return Set.copyOf(acknowledged);
  }

  int rolledBack() {
    return rolledBack.get();
  }

  int failed() {
    return failed.get();
  }

  /** Waits until so many more events are committed. */
  void awaitMore(int events, Seed seed) throws Exception {
    int wanted = acknowledged.size() + events;
    Eventually.await(
        PATIENCE,
        () -> acknowledged.size() >= wanted,
        () ->
            "expected %d events, got %d; failed transactions: %d; %s"
                .formatted(wanted, acknowledged.size(), failed.get(), seed));
  }

  /** Ends them after the transactions that are under way. */
  @Override
  public void close() throws InterruptedException {
    threads.shutdown();
    if (!threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("transactions under way have not ended within " + PATIENCE);
    }
    if (running.stream().anyMatch(writer -> writer.isDone() && !writer.isCancelled())) {
      throw new AssertionError("a writer ended by itself, which none does unless it is broken");
    }
  }

  private final class Writer {
    private final int number;
    private final SplittableRandom random;
    private int bookingNumber;

    Writer(int number, SplittableRandom random) {
      this.number = number;
      this.random = random;
    }

    void writeOnce() {
      List<Message> events = new ArrayList<>();
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        String account = "account-" + number + "-" + random.nextInt(ACCOUNTS_EACH);
        events.add(bookings.event(account, ++bookingNumber));
      }
      boolean takeBack = random.nextInt(10) == 0;
      try {
        bookings.write(events, takeBack ? Writer::takeBack : () -> {});
        events.forEach(event -> acknowledged.add(event.id()));
      } catch (TakenBackException asWanted) {
        rolledBack.addAndGet(events.size());
      } catch (SQLException | RuntimeException serverGone) {
        failed.incrementAndGet();
      }
    }

    private static void takeBack() {
      throw new TakenBackException();
    }
  }

  private static final class TakenBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
