package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.List;

/** One question about a contender. */
interface Measure {

  String name();

  /** How often it is asked of each contender. */
  Rounds rounds();

  /** Asks once. When it returns, everything that the round has committed is with the consumer. */
  List<Figure> run(Round round) throws SQLException, InterruptedException;

  /**
   * Many short rounds are worth more than a few long ones: a machine's moods last for seconds.
   *
   * @param warmUp rounds whose figures nobody looks at
   * @param counted rounds that count; even, so that everybody is first as often as last
   */
  record Rounds(int warmUp, int counted) {}
}
