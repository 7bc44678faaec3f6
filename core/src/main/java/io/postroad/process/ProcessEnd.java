package io.postroad.process;

import java.time.Duration;

/** Where a process may end. */
public interface ProcessEnd {

  /**
   * Builds the graph.
   *
   * @throws IllegalArgumentException when two nodes have the same name, or the branch of a step is
   *     not clear
   */
  ProcessGraph end();

  /** A point where the process may end, and may get a deadline. */
  interface WithDeadline extends ProcessEnd {

    /** Sets the time after which the process fails and is undone, unless it has ended. */
    ProcessEnd withDeadline(Duration deadline);
  }
}
