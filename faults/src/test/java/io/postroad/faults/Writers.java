package io.postroad.faults;

import io.postroad.message.Message;
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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Writers under load, on accounts that they share: each transaction has one to five bookings, and
 * one transaction in ten rolls back after everything was written; another one commits when later
 * ones have committed and were read.
 *
 * <p>A writer that fails goes on with its next transaction: servers die in these tests. That it
 * commits again is seen by {@link #awaitMore}.
 */
final class Writers implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final List<String> ACCOUNTS =
      IntStream.range(0, 20).mapToObj(number -> "account-" + number).toList();
  private static final Duration EVERY = Duration.ofMillis(15);
  private static final Duration LATE = Duration.ofMillis(40);
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicInteger rolledBack = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(WRITERS);
  private final List<ScheduledFuture<?>> running = new ArrayList<>();

  private Writers() {}

  static Writers start(Scene scene, Seed seed) throws Exception {
    Writers writers = new Writers();
    SplittableRandom random = seed.random();
    for (int i = 0; i < WRITERS; i++) {
      Bookings<?> bookings = scene.bookings();
      bookings.ledger().openAccounts(Set.copyOf(ACCOUNTS));
      writers.running.add(
          writers.threads.scheduleAtFixedRate(
              writers.new Writer(bookings, random.split())::writeOnce,
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
    private final Bookings<?> bookings;
    private final SplittableRandom random;

    Writer(Bookings<?> bookings, SplittableRandom random) {
      this.bookings = bookings;
      this.random = random;
    }

    void writeOnce() {
      List<String> accounts =
          random
              .ints(1 + random.nextInt(5), 0, ACCOUNTS.size())
              .sorted()
              .mapToObj(ACCOUNTS::get)
              .toList();
      Runnable beforeCommit =
          switch (random.nextInt(10)) {
            case 0 -> Writer::takeBack;
            case 1 -> Writer::dawdle;
            default -> () -> {};
          };
      try {
        List<Message> events = bookings.book(accounts, beforeCommit);
        events.forEach(event -> acknowledged.add(event.id()));
      } catch (TakenBackException asWanted) {
        rolledBack.addAndGet(accounts.size());
      } catch (Exception serverGone) {
        failed.incrementAndGet();
      }
    }

    private static void dawdle() {
      LockSupport.parkNanos(LATE.toNanos());
    }

    private static void takeBack() {
      throw new TakenBackException();
    }
  }

  private static final class TakenBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
