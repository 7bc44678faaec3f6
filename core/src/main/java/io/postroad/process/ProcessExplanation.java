package io.postroad.process;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a process waits for. Immutable.
 *
 * @param processId of the process
 * @param status where it is
 * @param sentence all of it for people
 * @param waits what is pending, one by one; empty when it has ended, or is stuck
 * @param isStuck whether it is active although nothing is pending
 */
public record ProcessExplanation(
    UUID processId, ProcessStatus status, String sentence, List<Waits> waits, boolean isStuck) {
  public ProcessExplanation {
    waits = List.copyOf(waits);
  }

  /**
   * One thing that is pending.
   *
   * @param step where
   * @param what in words: what is waited for, who has it, and what would move it
   * @param since since when
   * @param until when it is tried next or is over
   * @param holder the node that has the command
   */
  public record Waits(
      String step, String what, Instant since, Optional<Instant> until, Optional<String> holder) {}
}
