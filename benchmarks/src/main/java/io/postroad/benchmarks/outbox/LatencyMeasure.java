package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Measures the time of an event from just before its commit to the consumer, at a steady rate. */
record LatencyMeasure(int rounds, int warmUpEvents, Duration forTime) implements Measure {
  private static final int EVENTS_PER_SECOND = 300;

  /** Still one event at a time. */
  private static final int WARM_UP_PER_SECOND = 1_000;

  @Override
  public String name() {
    return "latency";
  }

  /**
   * Warms up by number, as {@link EnqueueMeasure}: at the rate of a round it would take minutes.
   */
  @Override
  public void warmUp(Round round) throws Exception {
    send(round, warmUpEvents, WARM_UP_PER_SECOND, new Stopwatches());
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    Stopwatches watches = new Stopwatches();
    int events = (int) (forTime.toMillis() * EVENTS_PER_SECOND / 1_000);
    send(round, events, EVENTS_PER_SECOND, watches);
    return List.of(
        new Figure("latency-p50", watches.percentileMillis(50), Figure.Unit.MILLIS),
        new Figure("latency-p99", watches.percentileMillis(99), Figure.Unit.MILLIS));
  }

  private static void send(Round round, int events, int perSecond, Stopwatches watches)
      throws Exception {
    round.onArrival(watches::stop);
    round.startRelay();
    EventStream stream = new EventStream(0, 1);
    long interval = Duration.ofSeconds(1).toNanos() / perSecond;
    long due = System.nanoTime();
    for (int i = 0; i < events; i++) {
      awaitNanos(due);
      Event event = stream.next();
      round.enqueue(event, () -> watches.start(event));
      due += interval;
    }
    round.awaitArrival();
  }

  private static void awaitNanos(long due) {
    while (due - System.nanoTime() > 0) {
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }
}
