package io.postroad.trace;

import io.postroad.message.Message;
import io.postroad.message.TraceContext;
import java.util.Optional;

/**
 * An operation for which a span is created. Immutable.
 *
 * @param destination the destination of a message; the type of a command that is not sent; the
 *     process type of a step
 * @param type the type of the message or command, or the name of the step
 * @param id the id of the message, command or process
 * @param from the stored context from which the span continues; empty to continue the span of the
 *     thread
 */
public record Operation(
    Verb verb, String destination, String type, String id, Optional<TraceContext> from) {

  /** The kind of operation. */
  public enum Verb {
    /** Appends a message or accepts a command. Continues the span of the thread. */
    CREATE,
    /**
     * Hands a message to a broker and waits for the outcome. Continues the span that created it.
     */
    SEND,
    /** Handles a message or command. Continues the span that created it. */
    PROCESS,
    /** Runs a step of a process. Continues the span of the thread. */
    STEP
  }

  public static Operation create(Message message) {
    return of(Verb.CREATE, message, Optional.empty());
  }

  public static Operation send(Message message) {
    return of(Verb.SEND, message, message.trace());
  }

  public static Operation process(Message message) {
    return of(Verb.PROCESS, message, message.trace());
  }

  private static Operation of(Verb verb, Message message, Optional<TraceContext> from) {
    return new Operation(
        verb, message.destination(), message.type(), message.id().toString(), from);
  }
}
