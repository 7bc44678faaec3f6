package io.postroad.benchmarks.outbox;

import java.util.List;

/** A measurement of a contender. */
interface Measure {

  String name();

  /**
   * Returns the number of rounds per contender; even, so that each is first as often as last. Many
   * short rounds are better than a few long ones, because disturbances of a machine last for
   * seconds.
   */
  int rounds();

  /** Does the same as {@link #run} until the contender is at full speed, without figures. */
  default void warmUp(Round round) throws Exception {
    run(round);
  }

  /** Measures once. On return the consumer has received all events that the round has committed. */
  List<Figure> run(Round round) throws Exception;
}
