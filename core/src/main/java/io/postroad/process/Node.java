package io.postroad.process;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A place in a process: a step, or a point where its way parts, meets or waits. Immutable data; the
 * functions that belong to it (predicates, inputs) are kept apart in the {@link ProcessGraph}, by
 * the node's id.
 *
 * <p>Nodes refer to each other by id. {@code next} is empty where the process ends, and at the last
 * node of a branch it is the {@link Join}.
 */
public sealed interface Node {

  /** Unique in its process, and the same over releases as long as it means the same. */
  String id();

  /** Where the process goes from here; empty at its end, and for a node that decides it. */
  Optional<String> next();

  /**
   * Sends a command and goes on when it was replied to.
   *
   * @param id the command's type, unless it was given another name
   * @param command the command's type, for example {@code BookLimits}
   * @param fields what the command is made of; empty when it takes all data
   * @param isInputDerived whether a function makes the input out of the data
   * @param undo the command that undoes it
   * @param timeout so long after it was begun it has timed out, each attempt for itself; not its
   *     undo
   * @param retry what is tried again; empty for the rules of the configuration
   * @param isPointOfNoReturn when it is completed, nothing before it is undone any more
   */
  record Step(
      String id,
      String command,
      Optional<List<Field>> fields,
      boolean isInputDerived,
      Optional<Undo> undo,
      Optional<Duration> timeout,
      Optional<StepRetry> retry,
      boolean isPointOfNoReturn,
      Optional<String> next)
      implements Node {
    public Step {
      fields = fields.map(List::copyOf);
    }

    Step withoutInput() {
      return new Step(
          id,
          command,
          Optional.of(List.of()),
          false,
          undo.map(known -> new Undo(known.command(), Optional.of(List.of()), known.timeout())),
          timeout,
          retry,
          isPointOfNoReturn,
          next);
    }
  }

  /**
   * The command that undoes a step.
   *
   * @param command its type
   * @param fields what it is made of; empty when it takes all data
   * @param timeout so long after it was begun it has timed out, each attempt for itself; empty for
   *     none
   */
  record Undo(String command, Optional<List<Field>> fields, Optional<Duration> timeout) {
    public Undo {
      fields = fields.map(List::copyOf);
    }

    /** An undo without a timeout. */
    public Undo(String command, Optional<List<Field>> fields) {
      this(command, fields, Optional.empty());
    }
  }

  /**
   * A component of a command.
   *
   * @param name as in the data
   * @param isRequired whether a command without it is refused
   */
  record Field(String name, boolean isRequired) {}

  /**
   * Goes one way or the other. The predicate is asked once, and the answer is kept.
   *
   * @param whenTrue where to go then; empty for the end
   * @param whenFalse where to go otherwise; empty for the end
   */
  record Choice(String id, Optional<String> whenTrue, Optional<String> whenFalse) implements Node {
    @Override
    public Optional<String> next() {
      return Optional.empty();
    }
  }

  /**
   * Begins all branches at once.
   *
   * @param branches the first node of each, in the order in which their data is merged
   * @param join where they meet
   */
  record Fork(String id, List<String> branches, String join) implements Node {
    public Fork {
      branches = List.copyOf(branches);
    }

    @Override
    public Optional<String> next() {
      return Optional.empty();
    }
  }

  /** Where the branches of a fork meet: goes on when the last one has arrived. */
  record Join(String id, String fork, Optional<String> next) implements Node {}

  /** Goes on after a time. */
  record Wait(String id, Duration duration, Optional<String> next) implements Node {}

  /**
   * Goes on when somebody has sent a signal.
   *
   * @param timeout the process fails when nobody has by then; empty to wait for ever
   */
  record Await(String id, String signal, Optional<Duration> timeout, Optional<String> next)
      implements Node {}
}
