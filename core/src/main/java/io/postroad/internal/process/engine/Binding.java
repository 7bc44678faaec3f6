package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the payload of a command from the data of a process, field by field. */
public final class Binding {
  /** A field that every command may have. */
  static final String PROCESS_ID = "processId";

  static final String BUSINESS_KEY = "businessKey";
  static final String STEP_KEY = "stepKey";

  private Binding() {}

  /** Thrown when data for a required field is missing. */
  public static final class CannotBindException extends Exception {
    private static final long serialVersionUID = 1L;

    CannotBindException(String message) {
      super(message);
    }
  }

  /** Adds the fields that every command may have. */
  static Map<String, Object> source(ProcessState state, String stepKey, Map<String, Object> data) {
    Map<String, Object> all = new LinkedHashMap<>(data);
    all.put(PROCESS_ID, state.id().toString());
    all.put(BUSINESS_KEY, state.businessKey());
    all.put(STEP_KEY, stepKey);
    return all;
  }

  /**
   * Selects the fields of a command; returns the whole source for a command with unknown fields.
   *
   * @throws CannotBindException when a required field is missing
   */
  static Map<String, Object> payload(
      String command, Optional<List<Node.Field>> fields, Map<String, Object> source)
      throws CannotBindException {
    if (fields.isEmpty()) {
      return source;
    }
    Map<String, Object> payload = new LinkedHashMap<>();
    for (Node.Field field : fields.get()) {
      Object value = source.get(field.name());
      if (value != null) {
        payload.put(field.name(), value);
      } else if (field.isRequired()) {
        throw new CannotBindException(
            "%s needs '%s', and neither the start of the process nor a step so far provided it;"
                    .formatted(command, field.name())
                + " known are "
                + source.keySet());
      }
    }
    return payload;
  }
}
