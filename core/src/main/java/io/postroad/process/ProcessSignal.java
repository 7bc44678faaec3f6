package io.postroad.process;

import java.time.Duration;
import java.util.UUID;

/**
 * A signal to a {@link ProcessObserver}. {@code docs/reference/process-signals.md} lists them all,
 * and when they come relative to a commit. No signal contains data of a process.
 */
public sealed interface ProcessSignal {

  /**
   * An event was logged; sent after the commit.
   *
   * @param after how long the step had been in its state before; for a completed step, since its
   *     latest command was given to the bus
   */
  record Logged(UUID processId, String processType, String event, String step, Duration after)
      implements ProcessSignal {}

  /** A process has ended; sent after the commit. */
  record Ended(UUID processId, String processType, ProcessStatus status) implements ProcessSignal {}

  /** A reply changed nothing: repeated, too late, or of no step; sent after the commit. */
  record ReplyIgnored(UUID processId, UUID commandId, String why) implements ProcessSignal {}

  /** A process is active and waits for nothing; an operator should check it. */
  record Stuck(UUID processId, String processType, String why) implements ProcessSignal {}

  /**
   * A waiting reply failed several times and is tried less often now; an operator should check its
   * process.
   */
  record SetAside(UUID processId, String why) implements ProcessSignal {}

  /** The database failed. */
  record StoreFailed(String manager, String verb, String error) implements ProcessSignal {}

  /** Processes past their retention were purged; sent after the commit. */
  record Forgotten(String manager, int processes) implements ProcessSignal {}
}
