package io.postroad.benchmarks.outbox;

import java.util.List;

/** One question about a contender. */
interface Measure {

  String name();

  /**
   * How often it is asked of each contender; even, so that everybody is first as often as last.
   * Many short rounds are worth more than a few long ones: a machine's moods last for seconds.
   */
  int rounds();

  /** Does what {@link #run} does until the contender is at full speed; nobody looks at figures. */
  default void warmUp(Round round) throws Exception {
    run(round);
  }

  /** Asks once. When it returns, everything that the round has committed is with the consumer. */
  List<Figure> run(Round round) throws Exception;
}
