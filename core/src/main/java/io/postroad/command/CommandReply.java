package io.postroad.command;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The end of a command. Immutable; {@code toString} never shows {@link Completed#data()}.
 *
 * <p>A reply is written in the transaction of the handler, so it exists if and only if the writes
 * of the handler do.
 */
public sealed interface CommandReply {

  /** Returns the id of the command. */
  UUID commandId();

  /** Returns the correlation id that the sender has given. */
  UUID correlationId();

  /** The command was done. */
  static CommandReply completed(UUID commandId, UUID correlationId, Map<String, Object> data) {
    return new Completed(commandId, correlationId, data);
  }

  /** The handler refused the command: {@link FailureCode#BUSINESS}. */
  static CommandReply failed(UUID commandId, UUID correlationId, String error) {
    return new Failed(commandId, correlationId, error);
  }

  /** The command failed for good. */
  static CommandReply failed(UUID commandId, UUID correlationId, String error, FailureCode code) {
    return new Failed(commandId, correlationId, error, code);
  }

  /** The command did not end in time. */
  static CommandReply timedOut(UUID commandId, UUID correlationId, String error) {
    return new TimedOut(commandId, correlationId, error);
  }

  /**
   * The command was done.
   *
   * <table>
   * <caption>The data for each kind of value that a handler returns</caption>
   * <tr><th>value</th><th>data</th></tr>
   * <tr><td>nothing: {@code void}, null, {@code Optional.empty()}</td><td>empty</td></tr>
   * <tr><td>an object in JSON: a record, a bean, a map</td><td>its fields</td></tr>
   * <tr><td>a list, a text, a number, a boolean</td><td>one field, {@code value}</td></tr>
   * </table>
   *
   * <p>Values are as JSON has them: numbers keep their precision, dates are ISO text, null is null.
   *
   * @param data in the order in which the fields were written; the map cannot be changed
   */
  record Completed(UUID commandId, UUID correlationId, Map<String, Object> data)
      implements CommandReply {
    public Completed {
      // Map.copyOf knows neither order nor null.
      data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
    }

    @Override
    public String toString() {
      return "Completed[commandId=%s, correlationId=%s, %d fields]"
          .formatted(commandId, correlationId, data.size());
    }
  }

  /**
   * The command failed for good; the writes of its handler were rolled back.
   *
   * @param error {@code SimpleClassName: message} of the exception
   * @param code the kind of failure
   */
  record Failed(UUID commandId, UUID correlationId, String error, FailureCode code)
      implements CommandReply {

    /** The handler refused the command: {@link FailureCode#BUSINESS}. */
    public Failed(UUID commandId, UUID correlationId, String error) {
      this(commandId, correlationId, error, FailureCode.BUSINESS);
    }
  }

  /**
   * The command did not end in time. It may have been done all the same.
   *
   * @param error names the deadline that has passed
   */
  record TimedOut(UUID commandId, UUID correlationId, String error) implements CommandReply {}
}
