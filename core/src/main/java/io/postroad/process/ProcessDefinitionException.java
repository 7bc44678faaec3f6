package io.postroad.process;

import io.postroad.message.PostroadException;
import io.postroad.process.check.ProcessFinding;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown when processes cannot run as they are defined; the text lists all errors. */
public final class ProcessDefinitionException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final transient List<ProcessFinding> errors;

  public ProcessDefinitionException(List<ProcessFinding> errors) {
    super(
        errors.stream()
            .map(ProcessFinding::text)
            .collect(
                Collectors.joining(
                    "\n- ", "%d error(s) in processes:\n- ".formatted(errors.size()), "")));
    this.errors = List.copyOf(errors);
  }

  /** Returns the errors; empty after serialization. */
  public List<ProcessFinding> errors() {
    return errors == null ? List.of() : errors;
  }
}
