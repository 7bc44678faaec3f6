package io.postroad.benchmarks.outbox;

import java.util.List;
import java.util.stream.Stream;

/** Creates events that wait while no relay runs. */
final class Backlog {
  private static final int CHUNK = 1_000;

  private Backlog() {}

  /**
   * Delivers one event with a relay, and stops the relay, so that its connection to the broker is
   * known to work.
   */
  static void deliverOne(Round round, EventStream stream) throws Exception {
    round.fill(List.of(stream.next()));
    round.startRelay();
    round.awaitArrival();
    round.stopRelay();
  }

  static void fill(Round round, EventStream stream, int events) throws Exception {
    for (int left = events; left > 0; left -= CHUNK) {
      round.fill(Stream.generate(stream::next).limit(Math.min(left, CHUNK)).toList());
    }
  }
}
