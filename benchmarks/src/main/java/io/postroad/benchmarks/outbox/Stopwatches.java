package io.postroad.benchmarks.outbox;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One stopwatch per event; duplicates are not timed. Thread-safe. */
final class Stopwatches {
  private final Map<Event, Long> started = new ConcurrentHashMap<>();
  private final Queue<Long> spans = new ConcurrentLinkedQueue<>();

  void start(Event event) {
    started.put(event, System.nanoTime());
  }

  void stop(List<Event> events) {
    long now = System.nanoTime();
    for (Event event : events) {
      Long began = started.remove(event);
      if (began != null) {
        spans.add(now - began);
      }
    }
  }

  /** Returns the time within which this percentage of events arrived. */
  double percentileMillis(int percent) {
    long[] sorted = spans.stream().mapToLong(Long::longValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalStateException("no event arrived, so there is no latency to report");
    }
    int rank = (int) Math.ceil(sorted.length * percent / 100.0);
    return Arrays.stream(sorted).skip(rank - 1L).findFirst().orElseThrow() / 1e6;
  }
}
