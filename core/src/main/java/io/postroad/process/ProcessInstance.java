package io.postroad.process;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The present state of a process, for people and tests. Immutable.
 *
 * @param processId the id of the process
 * @param processType its type
 * @param businessKey the key of the business object, for example an order number
 * @param status its status
 * @param currentStep the step it is at; the fork while branches run, the undo while a step is
 *     undone, the last step of an ended process
 * @param data the data that its steps see; values have the types of JSON
 * @param retries the retries of the current step
 * @param createdAt when it was started
 * @param updatedAt the time of its newest log entry
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

  /** Returns the process with another status, step, data and retries. */
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
