package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.StepCommand.End;
import io.postroad.internal.process.record.Sparse;
import io.postroad.process.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The progress of one node of a process: its state, and everything needed to continue from there or
 * to undo it. Immutable.
 *
 * @param node the id of the node
 * @param state the state of the node
 * @param since when the node entered this state
 * @param due when its timer fires
 * @param error the error of the last failure
 * @param attempt the number of attempts since the start, or since an operator retried the step
 * @param sent one command for each attempt, the oldest first
 * @param forUndo the data that an undo needs
 */
@Sparse
public record StepProgress(
    String node,
    StepState state,
    Instant since,
    Optional<Instant> due,
    Optional<String> error,
    int attempt,
    List<StepCommand> sent,
    ForUndo forUndo) {

  /**
   * The data that an undo of the step needs. Request and reply are kept only for steps that can be
   * undone; a condition keeps its answer as reply.
   *
   * @param order the position among all completed steps: 1, 2, 3 ...; 0 for a step not done
   * @param request the payload of the newest command
   * @param reply the reply of the step
   * @param commands the commands sent to undo the step, one for each attempt
   */
  @Sparse
  public record ForUndo(
      long order, Map<String, Object> request, Map<String, Object> reply, List<UUID> commands) {}

  static StepProgress of(String node, StepState state, Instant since) {
    return new StepProgress(
        node,
        state,
        since,
        Optional.empty(),
        Optional.empty(),
        0,
        List.of(),
        new ForUndo(0, Map.of(), Map.of(), List.of()));
  }

  /** Returns the ids of all commands, one for each attempt. */
  public List<UUID> commands() {
    return ids(command -> true);
  }

  public List<UUID> running() {
    return ids(StepCommand::isRunning);
  }

  /** Returns the commands that may have had an effect which no undo covers. */
  public List<UUID> unknown() {
    return ids(StepCommand::isUnknown);
  }

  public List<UUID> done() {
    return ids(StepCommand::isDone);
  }

  public List<UUID> refused() {
    return ids(StepCommand::isFailed);
  }

  private List<UUID> ids(Predicate<StepCommand> wanted) {
    return sent.stream().filter(wanted).map(StepCommand::id).toList();
  }

  public long order() {
    return forUndo.order();
  }

  /** Returns the commands that were sent to undo the step. */
  public List<UUID> undos() {
    return forUndo.commands();
  }

  /** Returns the command of the newest attempt. */
  Optional<UUID> command() {
    return sent.isEmpty() ? Optional.empty() : Optional.of(sent.get(sent.size() - 1).id());
  }

  /** Returns the command of the newest attempt to undo the step. */
  public Optional<UUID> undo() {
    return undos().isEmpty() ? Optional.empty() : Optional.of(undos().get(undos().size() - 1));
  }

  /** Returns whether an attempt that timed out may have been done. */
  boolean isMaybeDone() {
    return sent.stream().anyMatch(StepCommand::isUnknown);
  }

  /** Returns whether an attempt turned out to be done while its undo was running. */
  public boolean isDoneWhileUndone() {
    return sent.stream().anyMatch(command -> command.isUnknown() && command.isDone());
  }

  StepProgress to(StepState next, Instant at) {
    return new StepProgress(node, next, at, Optional.empty(), error, attempt, sent, forUndo);
  }

  StepProgress withAttempt(UUID command, Map<String, Object> request) {
    List<StepCommand> more = new ArrayList<>(sent);
    more.add(new StepCommand(command, Optional.empty()));
    return new StepProgress(node, state, since, due, error, attempt + 1, List.copyOf(more), forUndo)
        .with(new ForUndo(order(), request, forUndo.reply(), undos()));
  }

  /** Starts to count attempts from here; the commands of earlier attempts stay known. */
  StepProgress withAttempts(int count) {
    return new StepProgress(node, state, since, due, error, count, sent, forUndo);
  }

  /** Marks a command as ended. A command that was done stays done. */
  StepProgress ended(UUID command, End how) {
    return withEach(
        known -> {
          if (!known.id().equals(command)) {
            return known;
          }
          return known.ended(known.isDone() && how != End.DONE_DURING_UNDO ? End.DONE : how);
        });
  }

  /** Settles all commands that may have been done: an undo covers their effects. */
  StepProgress settled() {
    return withEach(StepCommand::settled);
  }

  private StepProgress withEach(UnaryOperator<StepCommand> change) {
    List<StepCommand> changed = sent.stream().map(change).toList();
    return new StepProgress(node, state, since, due, error, attempt, changed, forUndo);
  }

  StepProgress withOrder(long position) {
    return with(new ForUndo(position, forUndo.request(), forUndo.reply(), undos()));
  }

  StepProgress withReply(Map<String, Object> data) {
    return with(new ForUndo(order(), forUndo.request(), data, undos()));
  }

  StepProgress withUndo(UUID command) {
    List<UUID> more = new ArrayList<>(undos());
    more.add(command);
    return with(new ForUndo(order(), forUndo.request(), forUndo.reply(), List.copyOf(more)));
  }

  private StepProgress with(ForUndo changed) {
    return new StepProgress(node, state, since, due, error, attempt, sent, changed);
  }

  StepProgress withError(String text) {
    return new StepProgress(node, state, since, due, Optional.of(text), attempt, sent, forUndo);
  }

  StepProgress withDue(Optional<Instant> at) {
    return new StepProgress(node, state, since, at, error, attempt, sent, forUndo);
  }
}
