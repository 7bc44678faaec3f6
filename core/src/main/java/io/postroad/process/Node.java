package io.postroad.process;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A node of a process: a step, condition, fork, join or wait. Immutable data; the {@link
 * ProcessGraph} holds the functions of a node (predicates, inputs) by its id.
 *
 * <p>Nodes refer to each other by id. {@code next} is empty where the process ends, and at the last
 * node of a branch it is the {@link Join}.
 */
public sealed interface Node {

  /** Returns the id: unique in its process, and stable over releases. */
  String id();

  /** Returns the next node; empty at the end, and for conditions and forks. */
  Optional<String> next();

  /**
   * Sends a command and continues after its reply.
   *
   * @param id the type of the command, unless it was given another name
   * @param command the type of the command, for example {@code BookLimits}
   * @param fields the fields of the command; empty when it takes all data
   * @param isInputDerived whether a function derives the input from the data
   * @param undo the command that undoes the step
   * @param timeout the timeout of each attempt; does not hold for the undo
   * @param retry the rule for retries; empty for the rules of the configuration
   * @param isPointOfNoReturn whether no step is undone after this one is completed
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
   * @param command the type of the command
   * @param fields the fields of the command; empty when it takes all data
   * @param timeout the timeout of each attempt; empty for none
   */
  record Undo(String command, Optional<List<Field>> fields, Optional<Duration> timeout) {
    public Undo {
      fields = fields.map(List::copyOf);
    }

    /** Creates an undo without a timeout. */
    public Undo(String command, Optional<List<Field>> fields) {
      this(command, fields, Optional.empty());
    }
  }

  /**
   * A field of a command.
   *
   * @param name as in the data
   * @param isRequired whether a command without it is refused
   */
  record Field(String name, boolean isRequired) {}

  /**
   * Continues with one of two nodes. The predicate is asked once, and the answer is kept.
   *
   * @param whenTrue the next node if true; empty for the end
   * @param whenFalse the next node if false; empty for the end
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
   * @param branches the first node of each branch, in the order in which their data is merged
   * @param join the node that joins them
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

  /** Joins the branches of a fork: continues when the last one has arrived. */
  record Join(String id, String fork, Optional<String> next) implements Node {}

  /** Continues after a time. */
  record Wait(String id, Duration duration, Optional<String> next) implements Node {}

  /**
   * Continues after a signal.
   *
   * @param timeout the process fails without the signal after this time; empty to wait forever
   */
  record Await(String id, String signal, Optional<Duration> timeout, Optional<String> next)
      implements Node {}
}
