package io.postroad.trace;

import io.postroad.message.Message;
import io.postroad.message.TraceContext;
import java.util.Optional;

/**
 * Something that is followed. Immutable.
 *
 * @param verb what is done
 * @param destination where a message goes or came from; of a command that goes nowhere its type, of
 *     a step the type of its process
 * @param type of the message or command, or the name of the step
 * @param id of the message, command or process
 * @param from the context that was stored with it; empty for what begins where the thread is
 */
public record Operation(
    Verb verb, String destination, String type, String id, Optional<TraceContext> from) {

  /** What is done. */
  public enum Verb {
    /** A message is appended, or a command accepted: begins where the thread is. */
    CREATE,
    /** A message is handed to a broker, until its outcome is known: begins at its creation. */
    SEND,
    /** A message or command is handled: begins at its creation. */
    PROCESS,
    /** A process takes a step: begins where the thread is. */
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
