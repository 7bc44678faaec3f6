package io.postroad.process;

import io.postroad.process.dsl.ProcessGraphBuilder;
import java.util.Optional;

/**
 * A kind of process: its name, its graph, and its rules for retries. MUST be safe to use from many
 * threads, and its answers MUST depend on their arguments alone.
 */
public interface ProcessConfiguration {

  /** The name under which it is started and kept; the same over releases. */
  String getProcessType();

  /** Its graph, built with {@link #process()}. Called once, at start-up. */
  ProcessGraph defineProcess();

  /** Begins the graph of this process. */
  default ProcessGraphBuilder process() {
    return new ProcessGraphBuilder(getProcessType());
  }

  /**
   * What the data of {@code startProcess} has. Declared: a start without a required key is refused,
   * and a command field that nobody provides is an error at start-up. Empty when not declared: then
   * the missing ones are listed as a warning.
   */
  default Optional<StartData> startData() {
    return Optional.empty();
  }

  /**
   * Whether a step that failed so may succeed later. One that throws counts as not retryable.
   *
   * @param error what the reply says: {@code SimpleClassName: message}
   */
  default boolean isRetryable(String step, String error) {
    return error != null
        && (error.contains("timeout")
            || error.contains("connection")
            || error.contains("temporary")
            || error.contains("deadlock"));
  }

  /** How often a step is tried again: 3 means four executions. */
  default int getMaxRetries(String step) {
    return 3;
  }

  /**
   * How long to wait before a retry, in milliseconds. A negative one counts as 0 and is logged (an
   * overflow, say), more than a day as a day; one that throws counts as not retryable.
   *
   * @param attempt 0 for the first retry
   */
  default long getRetryDelay(String step, int attempt) {
    return 1000L * (1L << Math.min(attempt, 20));
  }
}
