package io.postroad.process;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Explains what a process waits for. Immutable.
 *
 * @param processId the id of the process
 * @param status its status
 * @param sentence the whole explanation as a sentence
 * @param waits each thing that is pending; empty for a process that has ended or is stuck
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
   * @param step the step
   * @param what a text: the thing it waits for, the node that has it, and the way to continue
   * @param since when it began to wait
   * @param until when it is tried next or ends
   * @param holder the node that has the command
   */
  public record Waits(
      String step, String what, Instant since, Optional<Instant> until, Optional<String> holder) {}
}
