package io.postroad.spi;

import io.postroad.store.CommandStatus;
import java.util.Optional;

/**
 * The result of a command. Immutable.
 *
 * @param status COMPLETED or FAILED
 * @param code {@link #COMPLETED}, {@link #TIMED_OUT}, or the kind of failure
 * @param error the failure, for people and for rules that read it; empty when there was none
 * @param data the result of the handler, as a JSON object; empty unless it completed
 */
public record CommandOutcome(
    CommandStatus status, String code, Optional<String> error, Optional<String> data) {
  public static final String COMPLETED = "COMPLETED";
  public static final String TIMED_OUT = "TIMED_OUT";

  public CommandOutcome {
    if (!status.isFinished()) {
      throw new IllegalArgumentException("an outcome is COMPLETED or FAILED, got " + status);
    }
  }

  public static CommandOutcome completed(String data) {
    return new CommandOutcome(
        CommandStatus.COMPLETED, COMPLETED, Optional.empty(), Optional.of(data));
  }

  public static CommandOutcome failed(String code, String error) {
    return new CommandOutcome(CommandStatus.FAILED, code, Optional.of(error), Optional.empty());
  }

  public static CommandOutcome timedOut(String error) {
    return failed(TIMED_OUT, error);
  }

  public boolean isTimedOut() {
    return code.equals(TIMED_OUT);
  }
}
