package io.postroad.internal.command;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandNotHereException;
import io.postroad.command.CommandReply;
import io.postroad.command.FailureCode;
import io.postroad.internal.command.WatchedTransaction.TookTooLong;
import io.postroad.internal.loop.Ticker;
import io.postroad.message.PostroadException;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandLostException;
import io.postroad.spi.NewCommand;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HANDLE of one claimed command. One transaction checks the claim, runs the handler and writes the
 * outcome and the reply. When the handler fails, a second one writes the failure. Both are watched
 * to the end of their commit.
 *
 * <p>Run by one thread; another thread may stop it or give it up. A crash before the commit leaves
 * a lease that expires, or what the process has saved of a command that was handed off in memory,
 * so that the command runs again. A crash after the commit leaves nothing to do.
 */
final class CommandRun<T> {

  /**
   * The state of a run. Only {@link #enter} changes it.
   *
   * <pre>
   * WAITING --> OPENING --> HANDLING --> COMPLETING --> LEAVING
   *                ^------ repeated once ------|
   * any state --> STOPPED, which is final
   * </pre>
   */
  private enum State {
    /** Waits for a thread. */
    WAITING,
    /** Makes sure that the claim holds. */
    OPENING,
    /** Runs the handler. */
    HANDLING,
    /** Writes outcome, reply and what the listener keeps. */
    COMPLETING,
    /** Has committed, and its thread leaves its place to another command. */
    LEAVING,
    /** Was stopped with its node: an unfinished command is given back, whatever it fails with. */
    STOPPED
  }

  private final CommandParts<T> parts;
  private final RunClaim<T> claim;
  private final Consumer<CommandRun<T>> whenGivenUp;
  private volatile State state = State.WAITING;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable WatchedTransaction<T> current;
  private long began;

  /**
   * Makes a run of this claim.
   *
   * @param whenGivenUp frees the place of the thread that does not come back
   */
  CommandRun(CommandParts<T> parts, RunClaim<T> claim, Consumer<CommandRun<T>> whenGivenUp) {
    this.parts = parts;
    this.claim = claim;
    this.whenGivenUp = whenGivenUp;
  }

  private synchronized void enter(State next) {
    if (state != State.STOPPED) {
      state = next;
    }
  }

  private boolean isStopped() {
    return state == State.STOPPED;
  }

  /** Tells whether its end is committed and its thread is about to leave its place. */
  boolean isLeaving() {
    return state == State.LEAVING;
  }

  RunClaim<T> claim() {
    return claim;
  }

  /** Handles the command and writes the result. */
  void run() {
    began = ticker().nanos();
    if (isStopped()) {
      RunClaim.release(parts, List.of(claim));
    } else if (claim.attempt() > parts.options().maxAttempts() + 1) {
      complete(exhausted("its worker crashed or never came back"), false);
    } else {
      handle(false);
    }
  }

  private void handle(boolean isRepeat) {
    boolean isSurelyHeld = !isRepeat && claim.isSurelyHeld();
    if (!isSurelyHeld && !claim.writeRow()) {
      return;
    }
    WatchedTransaction<T> watched = watched(claim.limit(), isRepeat, this::failed);
    Handled handled;
    try {
      handled = watched.call(transaction -> handle(transaction, watched, isSurelyHeld));
    } catch (CommandLostException | ChangedMeanwhileException stale) {
      watched.settle(() -> stale(stale, isRepeat));
      return;
    } catch (Exception | Error failed) {
      watched.settle(() -> failed(failed));
      return;
    }
    watched.settle(() -> completed(handled.reply(), handled.isLate()));
  }

  /** A reply whose transaction has committed, and whether the deadline was over before. */
  private record Handled(CommandReply reply, boolean isLate) {}

  private void stale(PostroadException stale, boolean isRepeat) {
    if (isStopped()) {
      giveBack();
    } else if (state == State.HANDLING) {
      // Thrown by the handler, so it is not about this command.
      failed(stale);
    } else if (stale instanceof CommandLostException) {
      parts.events().lost(command());
    } else if (mayRepeat(isRepeat)) {
      handle(true);
    } else if (stale.getCause() == null) {
      // The process has moved, and the next run reads it first: the attempt does not count.
      giveBack();
    } else {
      // The reason is not known. It may be the handler's own, and fail each time.
      failed(stale);
    }
  }

  /** Tells whether there is time to run once more at once. */
  private boolean mayRepeat(boolean isRepeat) {
    return !isStopped() && !isRepeat && !claim.isTooLateToBegin();
  }

  /** Makes a transaction; {@code then} settles it if its thread does not come back. */
  private WatchedTransaction<T> watched(
      Duration limit, boolean isRepeat, Consumer<TookTooLong> then) {
    WatchedTransaction<T> watched =
        new WatchedTransaction<>(
            parts, limit, isRepeat, (stuck, tooLong) -> abandon(stuck, tooLong, then));
    current = watched;
    return watched;
  }

  private Handled handle(T transaction, WatchedTransaction<T> watched, boolean isSurelyHeld)
      throws Exception {
    enter(State.OPENING);
    parts.completer().begins(command());
    Opening opening = isSurelyHeld ? limited(transaction, watched) : opened(transaction, watched);
    CommandReply reply =
        switch (opening) {
          case LOST -> throw lost();
          case LATE -> command().lateAllowed() ? handled(transaction, watched) : timedOut();
          case HELD -> handled(transaction, watched);
        };
    enter(State.COMPLETING);
    if (!complete(transaction, watched, reply)) {
      throw lost();
    }
    return new Handled(reply, opening == Opening.LATE);
  }

  private Opening opened(T transaction, WatchedTransaction<T> watched) {
    watched.marked(true);
    return parts.store().open(transaction, claim.get(), parts.options().longestRun());
  }

  private Opening limited(T transaction, WatchedTransaction<T> watched) {
    watched.marked(parts.store().limit(transaction, parts.options().longestRun()));
    return Opening.HELD;
  }

  /**
   * Ends the command as the last thing of a transaction. In one round trip with the commit, a write
   * that does not hold gives no reason; a repeat uses several round trips, and each gives one.
   */
  private boolean complete(T transaction, WatchedTransaction<T> watched, CommandReply reply) {
    Transactions<T> transactions = parts.transactions();
    if (!parts.completer().writesTogether()) {
      return completeInTime(transaction, watched, reply);
    }
    return watched.isRepeat()
        ? transactions.together(transaction, same -> completeInTime(same, watched, reply))
        : transactions.lastTogether(transaction, same -> completeInTime(same, watched, reply));
  }

  private boolean completeInTime(T transaction, WatchedTransaction<T> watched, CommandReply reply) {
    // Before the actions of a listener: they may wake a caller that asks for the place.
    parts
        .transactions()
        .afterCommitOf(
            transaction,
            () -> {
              if (!parts.threads().goesOn()) {
                enter(State.LEAVING);
              }
            });
    boolean held = parts.completer().complete(transaction, claim.get(), reply, watched.isMarked());
    watched.requireInTime();
    requireNotStopped();
    return held;
  }

  private CommandLostException lost() {
    return new CommandLostException(
        "command %s was lost: another worker has it, or it has ended".formatted(command().id()));
  }

  private CommandReply handled(T transaction, WatchedTransaction<T> watched) throws Exception {
    enter(State.HANDLING);
    Map<String, Object> data =
        CommandContext.with(
            context(transaction),
            context -> parts.handlers().registry().handle(context, command().payload()));
    if (watched.isMarked()) {
      parts.transactions().requireUnended(transaction);
    }
    watched.requireInTime();
    requireNotStopped();
    return CommandReply.completed(command().id(), command().correlationId(), data);
  }

  /** Refuses the result of a stopped handler: the interrupt may have cut its work short. */
  private void requireNotStopped() {
    if (isStopped()) {
      throw new Stopped();
    }
  }

  private CommandContext<T> context(T transaction) {
    return new CommandContext<>(
        command().id(),
        command().type(),
        command().idempotencyKey(),
        command().businessKey(),
        command().correlationId(),
        command().headers(),
        claim.attempt(),
        transaction);
  }

  private void completed(CommandReply reply, boolean isLate) {
    parts.events().ended(command(), claim.attempt(), reply, ticker().since(began));
    if (isLate && reply instanceof CommandReply.Completed) {
      parts.events().handledLate(command());
    }
    parts.futures().complete(reply);
  }

  /** Decides by the failure whether the command is tried again, has failed, or has timed out. */
  private void failed(Throwable failed) {
    failure = failed;
    String error = parts.events().text(failed);
    State at = state;
    if (at == State.STOPPED) {
      giveBack();
    } else if (failed instanceof CommandNotHereException && at != State.HANDLING) {
      claim.handOver(error);
    } else if (failed instanceof TookTooLong && claim.isOverdue()) {
      complete(timedOut(), false);
    } else if (at == State.OPENING) {
      parts.events().storeFailed("open", failed);
      tryAgain(error);
    } else if (failed instanceof TookTooLong
        || isFailureOfCompletion(failed, at)
        || parts.handlers().isTransient(failed, error)) {
      tryAgain(error);
    } else {
      complete(failedFor(failed, error), false);
    }
  }

  private void giveBack() {
    // The interrupt may still be there, and must not make the store fail.
    boolean unused = Thread.interrupted();
    RunClaim.release(parts, List.of(claim));
  }

  /**
   * Tells whether a failure came after the handler, which then has not refused the command. That
   * the handler has ended its transaction may show only then.
   */
  private static boolean isFailureOfCompletion(Throwable failed, State at) {
    return at == State.COMPLETING
        && !(failed instanceof CommandFailure)
        && !(failed instanceof TransactionEndedException);
  }

  /** Returns the latest failure of the handler or its transaction. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  private CommandReply failedFor(Throwable failed, String error) {
    FailureCode code = failed instanceof CommandFailure known ? known.code() : FailureCode.BUSINESS;
    return CommandReply.failed(command().id(), command().correlationId(), error, code);
  }

  private void tryAgain(String error) {
    if (claim.attempt() >= parts.options().maxAttempts()) {
      complete(exhausted(error), false);
    } else {
      claim.retry(error);
    }
  }

  /** Ends it in a transaction of its own. If that fails, the command waits for another attempt. */
  private void complete(CommandReply reply, boolean isRepeat) {
    if (isRepeat && !claim.writeRow()) {
      return;
    }
    WatchedTransaction<T> watched =
        watched(parts.options().handlerTimeout(), isRepeat, this::notCompleted);
    boolean held;
    try {
      held =
          watched.call(
              transaction ->
                  (claim.isHandedOff() || opened(transaction, watched) != Opening.LOST)
                      && complete(transaction, watched, reply));
    } catch (ChangedMeanwhileException changed) {
      watched.settle(
          () -> {
            if (mayRepeat(isRepeat)) {
              complete(reply, true);
            } else {
              notCompleted(changed);
            }
          });
      return;
    } catch (Exception | Error failed) {
      watched.settle(() -> notCompleted(failed));
      return;
    }
    watched.settle(
        () -> {
          if (held) {
            completed(reply, false);
          } else {
            parts.events().lost(command());
          }
        });
  }

  private void notCompleted(Throwable failed) {
    if (isStopped()) {
      giveBack();
    } else if (failed instanceof CommandNotHereException) {
      claim.handOver(parts.events().text(failed));
    } else {
      parts.events().storeFailed("finish", failed);
      claim.retry(parts.events().text(failed));
    }
  }

  private CommandReply timedOut() {
    return CommandReply.timedOut(
        command().id(), command().correlationId(), CommandParts.TIMED_OUT_TEXT);
  }

  private CommandReply exhausted(String error) {
    return CommandReply.failed(
        command().id(),
        command().correlationId(),
        "%s (gave up after %d attempts)".formatted(error, parts.options().maxAttempts()),
        FailureCode.EXHAUSTED);
  }

  /** Stops it with its node: its transaction rolls back, and any node begins it again at once. */
  void interruptForStop() {
    enter(State.STOPPED);
    WatchedTransaction<T> watched = current;
    if (watched != null) {
      watched.interrupt();
    }
  }

  /** Settles it without its thread, which has ignored the interrupt of a stop. */
  void giveUpForStop() {
    WatchedTransaction<T> watched = current;
    if (watched != null) {
      watched.giveUp();
    } else {
      RunClaim.release(parts, List.of(claim));
    }
  }

  /** Frees the place of a thread that does not come back, and settles its command here. */
  private void abandon(
      WatchedTransaction<T> stuck, TookTooLong tooLong, Consumer<TookTooLong> then) {
    whenGivenUp.accept(this);
    parts.events().stuck(command(), tooLong.limit(), stuck.runner());
    stuck.abort();
    then.accept(tooLong);
  }

  private NewCommand command() {
    return claim.command();
  }

  private Ticker ticker() {
    return parts.threads().ticker();
  }

  /** Thrown when the bus stops. */
  private static final class Stopped extends PostroadException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("the handler was interrupted because its node stops");
    }
  }
}
