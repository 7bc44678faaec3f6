package io.postroad.process;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A process as it stands, for people and tests. Immutable.
 *
 * @param processId of the process
 * @param processType what kind it is
 * @param businessKey what it is about, in the words of the domain
 * @param status where it is
 * @param currentStep the step it is at; the fork while it is in branches, the undo while it is
 *     undone, the last one when it has ended
 * @param data what its steps know; values are as JSON has them
 * @param retries of the current step
 * @param createdAt when it was started
 * @param updatedAt when something last happened to it
 */
public record ProcessInstance(
    UUID processId,
    String processType,
    String businessKey,
    ProcessStatus status,
    String currentStep,
    Map<String, Object> data,
    int retries,
    Instant createdAt,
    Instant updatedAt) {
  public ProcessInstance {
    data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
  }

  /** The same process at another place. */
  public ProcessInstance update(
      ProcessStatus newStatus, String newStep, Map<String, Object> newData, int newRetries) {
    return new ProcessInstance(
        processId,
        processType,
        businessKey,
        newStatus,
        newStep,
        newData,
        newRetries,
        createdAt,
        updatedAt);
  }
}
