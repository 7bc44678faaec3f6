package io.postroad.internal.process.engine;

import io.postroad.process.ProcessEvent;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Something that a process reacts to. Immutable. */
public sealed interface Input {
  /** The verb of a queued signal. */
  String SIGNAL = "SIGNAL";

  /** Somebody starts it. */
  record Start(String businessKey, String definition, Map<String, Object> data)
      implements Input {}

  /** A command has ended. */
  record Replied(UUID command, Reply reply) implements Input {}

  /** What became of a command that was to be taken back. */
  record RecallAnswered(UUID command, boolean isRecalled) implements Input {}

  /** Some time has passed. */
  record TimePassed() implements Input {}

  /** Somebody sends a signal. */
  record Signalled(String signal, Map<String, Object> data) implements Input {}

  /** An operator does something. */
  record Operated(Verb verb, Optional<String> step, String actor, String reason)
      implements Input {}

  /** A request came to a node that cannot do it: it is queued for one that can. */
  record Queued(ProcessEvent.RequestQueued request) implements Input {}

  /** A node can do the oldest queued request. */
  record RequestDue() implements Input {}

  /** A request as it is queued. */
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

  /** The request that was {@linkplain #queued queued}. */
  static Input of(ProcessEvent.RequestQueued queued) {
    return queued.verb().equals(SIGNAL)
        ? new Signalled(queued.target().orElseThrow(), queued.data())
        : new Operated(
            Verb.valueOf(queued.verb()),
            queued.target(),
            queued.actor().orElseThrow(),
            queued.reason().orElseThrow());
  }

  /** What an operator can do. */
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

    /** It was refused, and nothing of it was done. */
    record Failed(String error) implements Reply {}

    /**
     * Its message is a dead letter, so nothing of it was done. It may be done later, when an
     * operator replays the message.
     */
    record Undelivered(String error) implements Reply {}

    /** Nobody handled it in time, or somebody may have. */
    record TimedOut(boolean maybeDone) implements Reply {}
  }
}
