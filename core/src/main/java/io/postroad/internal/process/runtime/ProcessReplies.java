package io.postroad.internal.process.runtime;

import io.postroad.command.CommandRefusedException;
import io.postroad.command.CommandReply;
import io.postroad.command.FailureCode;
import io.postroad.internal.command.StepListener;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.spi.NewCommand;
import io.postroad.spi.process.WaitingReply;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Applies replies to the processes of their commands, in the transaction in which the command ends.
 * Safe to use from many threads.
 */
public final class ProcessReplies<T> implements StepListener<T> {
  private final ProcessStates<T> states;
  private final Definitions<T> definitions;
  private final ProcessReporter reporter;
  private final ReplyApplier<T> waiting;
  private final ProcessExecutor<T> executor;

  public ProcessReplies(
      ProcessStates<T> states,
      Definitions<T> definitions,
      ProcessReporter reporter,
      ReplyApplier<T> waiting,
      ProcessExecutor<T> executor) {
    this.states = states;
    this.definitions = definitions;
    this.reporter = reporter;
    this.waiting = waiting;
    this.executor = executor;
  }

  @Override
  public void replied(T transaction, NewCommand command, CommandReply reply) {
    replied(transaction, command, reply, executor::apply, waiting::applyNow);
  }

  /** Goes on without a lock, because this thread mostly knows the state of the process. */
  @Override
  public void repliedHere(T transaction, NewCommand command, CommandReply reply) {
    replied(transaction, command, reply, executor::applyNext, waiting::applyNow);
  }

  @Override
  public void repliedNow(T transaction, NewCommand command, CommandReply reply) {
    replied(transaction, command, reply, executor::applyNow, waiting::tryApply);
  }

  /** Applies a reply to a process; empty when there is none. */
  private interface Way<T> {
    Optional<ProcessExecutor.Applied> apply(T transaction, UUID process, Replied input);
  }

  private void replied(
      T transaction,
      NewCommand command,
      CommandReply reply,
      Way<T> way,
      Consumer<UUID> afterParking) {
    Optional<UUID> process = ProcessHeaders.processOf(command);
    if (process.isEmpty()) {
      return;
    }
    boolean isSent = command.destination().isPresent();
    boolean endsItself = executor.takeOwnEnd(command.id());
    if (ProcessHeaders.isParked(command)) {
      // The effect is committed before the process takes the reply, even if it has gone on.
      UUID id = process.get();
      park(transaction, id, reply.commandId(), converted(reply, isSent));
      states.transactions().afterCommitOf(transaction, () -> afterParking.accept(id));
      return;
    }
    Replied input = new Replied(command.id(), converted(reply, isSent));
    Outcome outcome = take(transaction, process.get(), input, way);
    if (!isSent
        && reply instanceof CommandReply.Completed
        && outcome != Outcome.TAKEN
        && !endsItself) {
      throw new CommandRefusedException(
          "process %s goes on without this command".formatted(process.get()));
    }
  }

  /** Refuses a command whose process this node cannot move: its handler would roll back. */
  @Override
  public void begins(NewCommand command) {
    // A run that has rolled back may have left it.
    boolean unusedNote = executor.takeOwnEnd(command.id());
    ProcessHeaders.definitionOf(command)
        .ifPresent(
            definition -> {
              Engine unused = definitions.engine(definition.type(), definition.hash());
            });
  }

  /** Lets every failure of a states.store() through, here and in all that is called from here. */
  @Override
  public boolean writesTogether() {
    return true;
  }

  @Override
  public void repliedLate(T transaction, NewCommand command, CommandReply reply) {
    ProcessHeaders.processOf(command)
        .ifPresent(
            process -> {
              Outcome unused = take(transaction, process, command.id(), converted(reply, true));
            });
  }

  /**
   * {@link #take(Object, UUID, UUID, Reply)} that does not wait for the process.
   *
   * @throws io.postroad.spi.process.ProcessBusyException when another transaction has it
   */
  Outcome takeNow(T transaction, UUID process, UUID command, Reply reply) {
    return take(transaction, process, new Replied(command, reply), executor::applyNow);
  }

  /** Applies a reply and returns the result; observers are told of an ignored one. */
  public Outcome take(T transaction, UUID process, UUID command, Reply reply) {
    return take(transaction, process, new Replied(command, reply), executor::apply);
  }

  private Outcome take(T transaction, UUID process, Replied replied, Way<T> way) {
    Outcome outcome =
        way.apply(transaction, process, replied)
            .map(ProcessExecutor.Applied::outcome)
            .orElse(Outcome.FOREIGN);
    if (outcome == Outcome.REPEATED || outcome == Outcome.FOREIGN) {
      states
          .transactions()
          .afterCommitOf(
              transaction, () -> reporter.ignored(process, replied.command(), outcome.name()));
    }
    return outcome;
  }

  private void park(T transaction, UUID process, UUID command, Reply reply) {
    states
        .store()
        .waitingReplies()
        .orElseThrow()
        .add(transaction, new WaitingReply(process, command, states.codec().reply(reply)));
  }

  public static Reply converted(CommandReply reply, boolean maybeDone) {
    if (reply instanceof CommandReply.Completed completed) {
      return new Reply.Done(completed.data());
    }
    if (reply instanceof CommandReply.Failed lost && lost.code() == FailureCode.UNDELIVERED) {
      return new Reply.Undelivered(lost.error());
    }
    // The other service may have done a command that was cancelled here after it was sent.
    boolean isKnown =
        reply instanceof CommandReply.Failed failed
            && !(maybeDone && failed.code() == FailureCode.CANCELLED);
    return isKnown
        ? new Reply.Failed(((CommandReply.Failed) reply).error())
        : new Reply.TimedOut(maybeDone);
  }
}
