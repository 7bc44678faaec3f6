package io.postroad.micrometer;

import io.postroad.trace.Operation.Verb;

/**
 * The names of OpenTelemetry's semantic conventions for messaging, as far as they are used here.
 *
 * <p>They are marked as in development, so they may change with a version of the conventions: this
 * class is the only place that has them, and {@link #VERSION} is their version. Names that the
 * conventions do not have begin with {@code postroad}.
 */
public final class OtelMessaging {
  /** The version of the semantic conventions that the names are from. */
  public static final String VERSION = "1.44.0";

  /** The broker: {@code kafka}, {@code jms}, {@code activemq}, or {@link #NO_BROKER}. */
  public static final String SYSTEM = "messaging.system";

  public static final String OPERATION_NAME = "messaging.operation.name";
  public static final String OPERATION_TYPE = "messaging.operation.type";
  public static final String DESTINATION = "messaging.destination.name";
  public static final String MESSAGE_ID = "messaging.message.id";

  /** The duration of a create or a send. */
  public static final String CLIENT_OPERATION_DURATION = "messaging.client.operation.duration";

  /** The duration of handling. */
  public static final String PROCESS_DURATION = "messaging.process.duration";

  /** The value of {@link #SYSTEM} where messages go through no broker. */
  public static final String NO_BROKER = "postroad";

  /** The type of a message or command. */
  public static final String MESSAGE_TYPE = "postroad.message.type";

  /** The type of a process. */
  public static final String PROCESS_TYPE = "postroad.process.type";

  /** The name of a step of a process. */
  public static final String PROCESS_STEP = "postroad.process.step";

  /** The id of a process. */
  public static final String PROCESS_ID = "postroad.process.id";

  /** The duration of accepting the command of a step, without handling it. */
  public static final String STEP_DURATION = "postroad.process.step.accept";

  private OtelMessaging() {}

  /** Returns the name of an operation; also its type, where the conventions have one. */
  static String nameOf(Verb verb) {
    return switch (verb) {
      case CREATE -> "create";
      case SEND -> "send";
      case PROCESS -> "process";
      case STEP -> "step";
    };
  }

  /** Returns the name of the observation, and so of the meter, of an operation. */
  static String observationOf(Verb verb) {
    return switch (verb) {
      case CREATE, SEND -> CLIENT_OPERATION_DURATION;
      case PROCESS -> PROCESS_DURATION;
      case STEP -> STEP_DURATION;
    };
  }
}
