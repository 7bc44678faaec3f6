package io.postroad.internal.command;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandNotHereException;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandReply;
import io.postroad.command.FailureCode;
import io.postroad.internal.command.WatchedUnit.TookTooLong;
import io.postroad.internal.loop.Ticker;
import io.postroad.message.PostroadException;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandLostException;
import io.postroad.spi.CommandStore.Opening;
import io.postroad.spi.NewCommand;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HANDLE of one claimed command: a transaction that opens with the fence and has the handler, the
 * outcome and the reply. When the handler fails, a second one has the failure. Both are watched to
 * the end of their commit.
 *
 * <p>Run by one thread; it may be given up by another. What a crash leaves: before the commit a
 * lease that expires, or what was written down of a command that is carried, so that it is taken
 * again; after it nothing to do.
 */
final class CommandRun<T> {

  /** Where a run is, so that a failure can be told from another. */
  private enum Phase {
    OPENING,
    HANDLING,
    ENDING
  }

  /** How a command came to this node. */
  enum Origin {
    /** From the queue: it is opened first, which keeps others away for as long as it takes. */
    CLAIMED,
    /** Accepted here as taken or carried, just now: for the time of a lease it is left to us. */
    ACCEPTED
  }

  /** Long enough for another node to look for commands, short beside what people wait for. */
  private static final Duration HAND_OVER_PAUSE = Duration.ofSeconds(5);

  private final CommandParts<T> parts;
  private final Origin origin;
  private final long claimedAt;
  private final long answeredAt;
  private final Consumer<CommandRun<T>> whenGivenUp;
  private final AtomicBoolean givenUp = new AtomicBoolean();
  private volatile CommandClaim claim;
  private volatile @Nullable Throwable failure;
  private volatile Phase phase = Phase.OPENING;
  private volatile @Nullable WatchedUnit<T> unit;
  private volatile boolean stopped;
  private volatile boolean leaving;
  private boolean late;
  private boolean repeated;
  private long began;

  /**
   * A run of this claim.
   *
   * @param claimedAt when the claim was asked for, by the ticker
   * @param whenGivenUp frees the place of the thread that does not come back
   */
  CommandRun(
      CommandParts<T> parts,
      CommandClaim claim,
      Origin origin,
      long claimedAt,
      Consumer<CommandRun<T>> whenGivenUp) {
    this.parts = parts;
    this.claim = claim;
    this.origin = origin;
    this.claimedAt = claimedAt;
    this.answeredAt = parts.ticker().nanos();
    this.whenGivenUp = whenGivenUp;
  }

  CommandClaim claim() {
    return claim;
  }

  /** Whether a run that begins now could outlast its lease. */
  boolean isTooLateToBegin() {
    Duration needed = ticker().since(claimedAt).plus(parts.options().longestRun());
    return needed.compareTo(parts.options().leaseFor()) > 0;
  }

  /** Whether another node may have taken the command by now. */
  boolean isLeaseOver() {
    return ticker().since(claimedAt).compareTo(parts.options().leaseFor()) > 0;
  }

  /** Whether it comes from the queue. */
  boolean isClaimed() {
    return origin == Origin.CLAIMED;
  }

  /**
   * Whether its attempts are used up by workers that crashed or never came back. Perhaps it was
   * never begun, and they died of another command: it is tried once more, alone.
   */
  boolean isLastChance() {
    return claim.attempt() == parts.options().maxAttempts() + 1;
  }

  /**
   * Handles the command and writes down what became of it.
   *
   * @return false when it was given up meanwhile, and its place was taken by another
   */
  boolean run() {
    began = ticker().nanos();
    if (stopped) {
      release(parts, List.of(this));
    } else if (claim.attempt() > parts.options().maxAttempts() + 1) {
      end(exhausted("its worker crashed or never came back"));
    } else {
      handle();
    }
    return !givenUp.get();
  }

  private void handle() {
    boolean isSurelyHeld = isSurelyHeld();
    if (!isSurelyHeld && !write()) {
      return;
    }
    WatchedUnit<T> watched = watched(limit(), this::failed);
    CommandReply reply;
    try {
      reply = watched.call(transaction -> inTransaction(transaction, isSurelyHeld));
    } catch (CommandLostException | ChangedMeanwhileException stale) {
      watched.settle(() -> stale(stale));
      return;
    } catch (Exception | Error failed) {
      watched.settle(() -> failed(failed));
      return;
    }
    watched.settle(() -> ended(reply));
  }

  private void stale(PostroadException stale) {
    if (phase == Phase.HANDLING) {
      // The handler's own, whatever it did: not about this command.
      failed(stale);
    } else if (stale instanceof CommandLostException) {
      parts.news().lost(command());
    } else if (mayRepeat()) {
      repeated = true;
      handle();
    } else if (stale.getCause() == null) {
      // Somebody has changed what a listener knew, and the next run looks first: it does not count.
      giveBack();
    } else {
      // What did not hold is not known; it may be the handler's own, and fail each time.
      failed(stale);
    }
  }

  /** Whether there is time to run once more and at once. */
  private boolean mayRepeat() {
    return !stopped && !repeated && !isTooLateToBegin();
  }

  /** A transaction of this run; {@code then} settles it if its thread does not come back. */
  private WatchedUnit<T> watched(Duration limit, Consumer<TookTooLong> then) {
    WatchedUnit<T> watched =
        new WatchedUnit<>(parts, limit, (stuck, failure) -> abandon(stuck, failure, then));
    unit = watched;
    return watched;
  }

  private CommandReply inTransaction(T transaction, boolean isSurelyHeld) throws Exception {
    phase = Phase.OPENING;
    parts.ending().begins(command());
    Opened opened = opened(transaction, isSurelyHeld);
    late = opened.opening() == Opening.LATE;
    CommandReply reply =
        switch (opened.opening()) {
          case LOST -> throw lost();
          case LATE -> command().lateAllowed() ? handled(transaction, opened) : timedOut();
          case HELD -> handled(transaction, opened);
        };
    phase = Phase.ENDING;
    if (!end(transaction, reply, opened.isBegun())) {
      throw lost();
    }
    return reply;
  }

  /** What the store said, and whether it knows the transaction from its beginning. */
  private record Opened(Opening opening, boolean isBegun) {}

  private Opened opened(T transaction, boolean isSurelyHeld) {
    Duration longest = parts.options().longestRun();
    return isSurelyHeld
        ? new Opened(Opening.HELD, parts.store().limit(transaction, longest))
        : new Opened(parts.store().open(transaction, claim, longest), true);
  }

  /**
   * With a lease that outlasts the run nobody else takes, ends or recalls the command; if that
   * fails, because this process stood still, its end does not hold. So what has just been accepted
   * here needs no way to the database before its handler, unless that has to know the time.
   */
  private boolean isSurelyHeld() {
    return origin == Origin.ACCEPTED
        && claim.timeLeft().isEmpty()
        && !repeated
        && !isTooLateToBegin();
  }

  /**
   * Writes down a command that was carried so far, before anything else than its end is said of it.
   *
   * @return false when somebody else has written it, because it was not done in time
   */
  private boolean write() {
    if (!claim.isCarried()) {
      return true;
    }
    CommandOptions options = parts.options();
    Optional<CommandClaim> written =
        parts
            .news()
            .ask(
                "writeCarried",
                () -> parts.store().writeCarried(command(), options.name(), options.leaseFor()));
    claim = written.orElse(claim);
    if (written.isEmpty()) {
      parts.news().lost(command());
    }
    return written.isPresent();
  }

  /**
   * The last of a transaction, and nothing comes after it. What did not hold in one way to the
   * database is told exactly in several, so the second time it takes those.
   */
  private boolean end(T transaction, CommandReply reply, boolean isBegun) {
    Transactions<T> transactions = parts.transactions();
    if (!parts.ending().writesTogether()) {
      return endInTime(transaction, reply, isBegun);
    }
    return repeated
        ? transactions.together(transaction, unit -> endInTime(unit, reply, isBegun))
        : transactions.lastTogether(transaction, unit -> endInTime(unit, reply, isBegun));
  }

  /** Whether it has committed its end, and its thread is about to leave its place. */
  boolean isLeaving() {
    return leaving;
  }

  private boolean endInTime(T transaction, CommandReply reply, boolean isBegun) {
    // Before those that a listener has: they may wake up somebody who asks for the place.
    parts.transactions().afterCommitOf(transaction, () -> leaving = !parts.chains().goOn());
    boolean held = parts.ending().end(transaction, claim, reply, isBegun);
    requireInTime();
    requireNotStopped();
    return held;
  }

  private CommandLostException lost() {
    return new CommandLostException(
        "command %s was lost: another worker has it, or it has ended".formatted(claim.id()));
  }

  private CommandReply handled(T transaction, Opened opened) throws Exception {
    phase = Phase.HANDLING;
    Map<String, Object> data =
        CommandContext.with(
            context(transaction), context -> parts.registry().handle(context, command().payload()));
    if (opened.isBegun()) {
      parts.transactions().requireUnended(transaction);
    }
    requireInTime();
    requireNotStopped();
    return CommandReply.completed(command().id(), command().correlationId(), data);
  }

  private void requireInTime() {
    WatchedUnit<T> watched = unit;
    if (watched != null) {
      watched.requireInTime();
    }
  }

  /** What was interrupted by a stop may have returned because of that, with its work half done. */
  private void requireNotStopped() {
    if (stopped) {
      throw new Stopped();
    }
  }

  /** A run has no more time than its command, unless that may be late or is so already. */
  private Duration limit() {
    Duration longest = parts.options().handlerTimeout();
    return timeLeft()
        .filter(left -> left.compareTo(Duration.ZERO) > 0 && left.compareTo(longest) < 0)
        .orElse(longest);
  }

  private Optional<Duration> timeLeft() {
    return command().lateAllowed()
        ? Optional.empty()
        : claim.timeLeft().map(left -> left.minus(ticker().since(answeredAt)));
  }

  private boolean isOverdue() {
    return timeLeft().filter(left -> left.isNegative() || left.isZero()).isPresent();
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

  private void ended(CommandReply reply) {
    parts.news().ended(command(), claim.attempt(), reply, ticker().since(began));
    if (late && reply instanceof CommandReply.Completed) {
      parts.news().handledLate(command());
    }
    parts.futures().complete(reply);
  }

  /** What failed decides whether it is tried again, has failed, or has timed out. */
  private void failed(Throwable failure) {
    this.failure = failure;
    String error = parts.news().text(failure);
    if (stopped) {
      giveBack();
    } else if (failure instanceof CommandNotHereException && phase != Phase.HANDLING) {
      handOver(error);
    } else if (failure instanceof TookTooLong && isOverdue()) {
      end(timedOut());
    } else if (phase == Phase.OPENING) {
      parts.news().storeFailed("open", failure);
      tryAgain(error);
    } else if (failure instanceof TookTooLong
        || isTroubleAtTheEnd(failure)
        || parts.transience().isTransient(failure, error)) {
      tryAgain(error);
    } else {
      end(failedFor(failure, error));
    }
  }

  private void giveBack() {
    // The interrupt may still be there, and what follows must not fail because of it.
    boolean unused = Thread.interrupted();
    release(parts, List.of(this));
  }

  /**
   * The handler has done its part: whatever happened then, it did not refuse the command. That it
   * has ended its transaction may be found only then.
   */
  private boolean isTroubleAtTheEnd(Throwable failure) {
    return phase == Phase.ENDING
        && !(failure instanceof CommandFailure)
        && !(failure instanceof TransactionEndedException);
  }

  /** Why the handler or its transaction failed last. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  private CommandReply failedFor(Throwable failure, String error) {
    FailureCode code =
        failure instanceof CommandFailure known ? known.code() : FailureCode.BUSINESS;
    return CommandReply.failed(command().id(), command().correlationId(), error, code);
  }

  private void tryAgain(String error) {
    if (claim.attempt() >= parts.options().maxAttempts()) {
      end(exhausted(error));
    } else {
      postpone(backoff(), error);
    }
  }

  private Duration backoff() {
    return parts.options().backoff().delayAfter(claim.attempt(), parts.random());
  }

  private void postpone(Duration delay, String error) {
    if (!write()) {
      return;
    }
    boolean held = parts.news().ask("retry", () -> parts.store().retry(claim, delay, error));
    if (held) {
      parts.news().retrying(command(), claim.attempt(), delay, error);
    } else {
      parts.news().lost(command());
    }
  }

  /** Writes down that it has to be tried again, after the database did not take its end. */
  void releaseUnsettled() {
    postpone(Duration.ZERO, "the database did not take its end");
  }

  /** This node cannot end it, so it is no failure of the command. */
  private void handOver(String why) {
    if (!write()) {
      return;
    }
    boolean held =
        parts.news().ask("handOver", () -> parts.store().handOver(claim, HAND_OVER_PAUSE, why));
    if (held) {
      parts.news().handedOver(command(), HAND_OVER_PAUSE, why);
    } else {
      parts.news().lost(command());
    }
  }

  /** Ends it in a transaction of its own. If that is not possible, it waits for another attempt. */
  private void end(CommandReply reply) {
    if (repeated && !write()) {
      return;
    }
    WatchedUnit<T> watched = watched(parts.options().handlerTimeout(), this::notEnded);
    boolean held;
    try {
      held =
          watched.call(
              transaction -> {
                boolean isBegun = !claim.isCarried();
                return (!isBegun || opened(transaction, false).opening() != Opening.LOST)
                    && end(transaction, reply, isBegun);
              });
    } catch (ChangedMeanwhileException changed) {
      watched.settle(
          () -> {
            if (mayRepeat()) {
              repeated = true;
              end(reply);
            } else {
              notEnded(changed);
            }
          });
      return;
    } catch (Exception | Error failed) {
      watched.settle(() -> notEnded(failed));
      return;
    }
    watched.settle(
        () -> {
          if (held) {
            ended(reply);
          } else {
            parts.news().lost(command());
          }
        });
  }

  private void notEnded(Throwable failed) {
    if (stopped) {
      giveBack();
    } else if (failed instanceof CommandNotHereException) {
      handOver(parts.news().text(failed));
    } else {
      parts.news().storeFailed("finish", failed);
      postpone(backoff(), parts.news().text(failed));
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

  /** Called when the bus stops: what it did rolls back, and some node begins again at once. */
  void interruptForStop() {
    stopped = true;
    WatchedUnit<T> watched = unit;
    if (watched != null) {
      watched.interrupt();
    }
  }

  /** Called when the bus has stopped and the interrupt did not help: it goes on without it. */
  void giveUpForStop() {
    WatchedUnit<T> watched = unit;
    if (watched != null) {
      watched.giveUp();
    } else {
      release(parts, List.of(this));
    }
  }

  /** Its thread does not come back: its place is another's, and its command is settled here. */
  private void abandon(WatchedUnit<T> stuck, TookTooLong failure, Consumer<TookTooLong> then) {
    if (givenUp.compareAndSet(false, true)) {
      whenGivenUp.accept(this);
    }
    parts.news().stuck(command(), failure.limit(), stuck.runner());
    stuck.abort();
    then.accept(failure);
  }

  /** Gives it back as if it had never been taken. */
  static <T> void release(CommandParts<T> parts, List<CommandRun<T>> runs) {
    List<CommandClaim> claims =
        runs.stream().filter(CommandRun::isWritten).map(CommandRun::claim).toList();
    if (claims.isEmpty()) {
      return;
    }
    var released = parts.news().ask("release", () -> parts.store().release(claims));
    for (CommandClaim claim : claims) {
      if (released.contains(claim.id())) {
        parts.news().released(claim.command());
      } else {
        parts.news().lost(claim.command());
      }
    }
  }

  /** One that cannot be written must not keep others from being given back; it is found later. */
  private boolean isWritten() {
    try {
      return write();
    } catch (RuntimeException | Error failed) {
      // Told by whoever asked the store.
      return false;
    }
  }

  private NewCommand command() {
    return claim.command();
  }

  private Ticker ticker() {
    return parts.ticker();
  }

  /** The bus stops. */
  private static final class Stopped extends PostroadException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("the handler was interrupted because its node stops");
    }
  }
}
