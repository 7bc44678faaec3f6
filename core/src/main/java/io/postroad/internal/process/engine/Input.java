package io.postroad.internal.process.engine;

import io.postroad.process.ProcessEvent;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An input of the engine. Immutable. */
public sealed interface Input {
  /** The verb of a queued signal. */
  String SIGNAL = "SIGNAL";

  /** A caller starts the process. */
  record Start(String businessKey, String definition, Map<String, Object> data) implements Input {}

  /** A command has ended. */
  record Replied(UUID command, Reply reply) implements Input {}

  /** A recall of a command has worked or not. */
  record RecallAnswered(UUID command, boolean isRecalled) implements Input {}

  /** A timer is due. */
  record TimePassed() implements Input {}

  /** A caller sends a signal. */
  record Signalled(String signal, Map<String, Object> data) implements Input {}

  /** An operator requests a change. */
  record Operated(Verb verb, Optional<String> step, String actor, String reason) implements Input {}

  /** A request came to a node that cannot apply it, and is queued for another node. */
  record Queued(ProcessEvent.RequestQueued request) implements Input {}

  /** A node can apply the oldest queued request. */
  record RequestDue() implements Input {}

  /** Converts a request to the event that queues it. */
  static ProcessEvent.RequestQueued queued(Input request) {
    if (request instanceof Signalled signalled) {
      return new ProcessEvent.RequestQueued(
          SIGNAL,
          Optional.of(signalled.signal()),
          signalled.data(),
          Optional.empty(),
          Optional.empty());
    }
    Operated operated = (Operated) request;
    return new ProcessEvent.RequestQueued(
        operated.verb().name(),
        operated.step(),
        Map.of(),
        Optional.of(operated.actor()),
        Optional.of(operated.reason()));
  }

  /** Returns the request that was {@linkplain #queued queued}. */
  static Input of(ProcessEvent.RequestQueued queued) {
    return queued.verb().equals(SIGNAL)
        ? new Signalled(queued.target().orElseThrow(), queued.data())
        : new Operated(
            Verb.valueOf(queued.verb()),
            queued.target(),
            queued.actor().orElseThrow(),
            queued.reason().orElseThrow());
  }

  /** The requests of operators. */
  enum Verb {
    PAUSE,
    RESUME,
    CANCEL,
    TERMINATE,
    RETRY,
    SKIP
  }

  /** How a command has ended. */
  sealed interface Reply {
    /** It was done. */
    record Done(Map<String, Object> data) implements Reply {}

    /** It failed and had no effect. */
    record Failed(String error) implements Reply {}

    /**
     * Its message is a dead letter, so it had no effect. It may be done later, when an operator
     * replays the message.
     */
    record Undelivered(String error) implements Reply {}

    /** It was not done in time, or may have been done by another service. */
    record TimedOut(boolean maybeDone) implements Reply {}
  }
}
