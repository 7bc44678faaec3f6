package io.postroad.command;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How a command ended. Immutable; {@code toString} never shows {@link Completed#data()}.
 *
 * <p>A reply is written in the transaction of the handler, so it exists if and only if what the
 * handler wrote does.
 */
public sealed interface CommandReply {

  /** The command that this answers. */
  UUID commandId();

  /** What the sender of the command knows the conversation by. */
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

  /** Nobody answered in time. */
  static CommandReply timedOut(UUID commandId, UUID correlationId, String error) {
    return new TimedOut(commandId, correlationId, error);
  }

  /**
   * The command was done.
   *
   * <table>
   * <caption>What becomes of the value that a handler returned</caption>
   * <tr><th>value</th><th>data</th></tr>
   * <tr><td>nothing: {@code void}, null, {@code Optional.empty()}</td><td>empty</td></tr>
   * <tr><td>what is an object in JSON: a record, a bean, a map</td><td>its fields</td></tr>
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
   * The command failed for good; what its handler wrote was rolled back.
   *
   * @param error {@code SimpleClassName: message} of what was thrown
   * @param code what kind of failure it is
   */
  record Failed(UUID commandId, UUID correlationId, String error, FailureCode code)
      implements CommandReply {

    /** The handler refused the command: {@link FailureCode#BUSINESS}. */
    public Failed(UUID commandId, UUID correlationId, String error) {
      this(commandId, correlationId, error, FailureCode.BUSINESS);
    }
  }

  /**
   * Nobody answered in time. The command may have been done all the same.
   *
   * @param error what was waited for, and for how long
   */
  record TimedOut(UUID commandId, UUID correlationId, String error) implements CommandReply {}
}
