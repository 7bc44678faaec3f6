package io.postroad.process;

import io.postroad.process.dsl.ProcessGraphBuilder;
import java.util.Optional;

/**
 * A kind of process: its name, its graph, and its rules for retries. MUST be safe to use from many
 * threads, and its answers MUST depend on their arguments alone.
 */
public interface ProcessConfiguration {

  /** Returns the name of the type; it must stay the same over releases. */
  String getProcessType();

  /** Returns the graph, built with {@link #process()}. Called once, at start-up. */
  ProcessGraph defineProcess();

  /** Begins the graph of this process. */
  default ProcessGraphBuilder process() {
    return new ProcessGraphBuilder(getProcessType());
  }

  /**
   * Returns the keys of the data that {@code startProcess} gets. If declared, a start without a
   * required key is refused, and a command field without a source is an error at start-up. If
   * empty, such fields are listed as a warning.
   */
  default Optional<StartData> startData() {
    return Optional.empty();
  }

  /**
   * Returns whether a step with this error may succeed later. If it throws, the step is not
   * retried.
   *
   * @param error the error of the reply: {@code SimpleClassName: message}
   */
  default boolean isRetryable(String step, String error) {
    return error != null
        && (error.contains("timeout")
            || error.contains("connection")
            || error.contains("temporary")
            || error.contains("deadlock"));
  }

  /** Returns how often a step is retried: 3 means four executions. */
  default int getMaxRetries(String step) {
    return 3;
  }

  /**
   * Returns the delay before a retry, in milliseconds. A negative delay counts as 0 and is logged,
   * a delay of more than a day as a day. If it throws, the step is not retried.
   *
   * @param attempt 0 for the first retry
   */
  default long getRetryDelay(String step, int attempt) {
    return 1000L * (1L << Math.min(attempt, 20));
  }
}
