package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** How long an event takes from just before its commit to the consumer, at a steady rate. */
record LatencyMeasure(int rounds, Duration forTime) implements Measure {
  private static final int EVENTS_PER_SECOND = 300;
  private static final long INTERVAL = Duration.ofSeconds(1).toNanos() / EVENTS_PER_SECOND;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    Stopwatches watches = new Stopwatches();
    round.onArrival(watches::stop);
    round.startRelay();
    EventStream stream = new EventStream(0, 1);
    long due = System.nanoTime();
    long end = due + forTime.toNanos();
    while (due - end < 0) {
      awaitNanos(due);
      Event event = stream.next();
      round.enqueue(event, () -> watches.start(event));
      due += INTERVAL;
    }
    round.awaitArrival();
    return List.of(
        new Figure("latency-p50", watches.percentileMillis(50), Figure.Unit.MILLIS),
        new Figure("latency-p99", watches.percentileMillis(99), Figure.Unit.MILLIS));
  }

  private static void awaitNanos(long due) {
    while (due - System.nanoTime() > 0) {
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }
}
