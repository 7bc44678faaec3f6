package io.postroad.process;

import java.time.Duration;

/** Where a process may end. */
public interface ProcessEnd {

  /**
   * The graph of all that was written.
   *
   * @throws IllegalArgumentException when two nodes have one name, or it is not clear to which
   *     branch a step belongs
   */
  ProcessGraph end();

  /** A process that may end here, and may say how long all of it can take. */
  interface WithDeadline extends ProcessEnd {

    /** So long after its start the process fails and is undone, unless it has ended. */
    ProcessEnd withDeadline(Duration deadline);
  }
}
