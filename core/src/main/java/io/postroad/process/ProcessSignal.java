package io.postroad.process;

import java.time.Duration;
import java.util.UUID;

/**
 * Something that happened to processes. {@code docs/reference/process-signals.md} lists them all
 * with when they come relative to a commit. No signal carries data of a process.
 */
public sealed interface ProcessSignal {

  /**
   * Something was logged; after the commit.
   *
   * @param after how long the step had been where it was before: of one that was completed, since
   *     its latest command was given to the bus
   */
  record Logged(UUID processId, String processType, String event, String step, Duration after)
      implements ProcessSignal {}

  /** A process has ended; after the commit. */
  record Ended(UUID processId, String processType, ProcessStatus status) implements ProcessSignal {}

  /** A reply changed nothing: it was known, too late, or belongs to nothing; after the commit. */
  record ReplyIgnored(UUID processId, UUID commandId, String why) implements ProcessSignal {}

  /** A process is active and nothing of it is pending: somebody should look at it. */
  record Stuck(UUID processId, String processType, String why) implements ProcessSignal {}

  /**
   * A reply that was written down cannot be applied, and does not keep others waiting any more:
   * somebody should look at its process.
   */
  record SetAside(UUID processId, String why) implements ProcessSignal {}

  /** The database failed. */
  record StoreFailed(String manager, String verb, String error) implements ProcessSignal {}

  /** What was past its retention was forgotten; after the commit. */
  record Forgotten(String manager, int processes) implements ProcessSignal {}
}
