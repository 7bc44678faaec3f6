package io.postroad.command;

import io.postroad.engine.Alarms;
import io.postroad.engine.Ticker;
import io.postroad.message.PostroadException;
import io.postroad.store.CommandClaim;
import io.postroad.store.CommandStore.Opening;
import io.postroad.store.NewCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HANDLE of one claimed command: a transaction that opens with the fence and has the handler, the
 * outcome and the reply. When the handler fails, a second one has the failure.
 *
 * <p>Run by one thread; it may be given up by another. What a crash leaves: before the commit a
 * lease that expires, so that the command is taken again; after it nothing to do.
 */
final class CommandRun<T> {

  /** Where a run is, so that a failure can be told from another. */
  private enum Phase {
    OPENING,
    HANDLING,
    ENDING
  }

  private final CommandParts<T> parts;
  private final CommandClaim claim;
  private final long claimedAt;
  private final long answeredAt;
  private final AtomicBoolean decided = new AtomicBoolean();
  private final Consumer<CommandRun<T>> whenGivenUp;
  private volatile Phase phase = Phase.OPENING;
  private volatile @Nullable T unit;
  private volatile @Nullable Thread runner;
  private volatile boolean stopped;
  private boolean late;
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
      long claimedAt,
      Consumer<CommandRun<T>> whenGivenUp) {
    this.parts = parts;
    this.claim = claim;
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

  /**
   * Handles the command and writes down what became of it.
   *
   * @return false when it was given up meanwhile, and its place was taken by another
   */
  boolean run() {
    began = ticker().nanos();
    runner = Thread.currentThread();
    if (stopped) {
      return settle(() -> release(parts, List.of(this)));
    }
    if (claim.attempt() > parts.options().maxAttempts()) {
      return settle(() -> end(exhausted("its worker crashed or never came back")));
    }
    CommandReply reply;
    try {
      reply = parts.transactions().<CommandReply, Exception>call(this::inTransaction);
    } catch (Lost lost) {
      parts.chains().rolledBack();
      return settle(() -> parts.news().lost(command()));
    } catch (Exception | Error failed) {
      parts.chains().rolledBack();
      return settle(() -> failed(failed));
    } finally {
      unit = null;
    }
    return settle(() -> ended(reply));
  }

  private boolean settle(Runnable settlement) {
    boolean ours = decided.compareAndSet(false, true);
    if (ours) {
      settlement.run();
    }
    return ours;
  }

  private CommandReply inTransaction(T transaction) throws Exception {
    unit = transaction;
    parts.chains().begin(transaction);
    phase = Phase.OPENING;
    Opening opening = parts.store().open(transaction, claim);
    late = opening == Opening.LATE;
    CommandReply reply =
        switch (opening) {
          case LOST -> throw new Lost(claim);
          case LATE -> command().lateAllowed() ? handled(transaction) : timedOut();
          case HELD -> handled(transaction);
        };
    phase = Phase.ENDING;
    if (!parts.ending().end(transaction, claim, reply)) {
      throw new Lost(claim);
    }
    return reply;
  }

  private CommandReply handled(T transaction) throws Exception {
    phase = Phase.HANDLING;
    Duration limit = limit();
    Alarms.Alarm alarm = parts.alarms().set(limit, CommandOptions.GRACE, this::giveUp);
    Map<String, Object> data;
    try {
      data =
          CommandContext.with(
              context(transaction),
              context -> parts.registry().handle(context, command().payload()));
    } catch (Exception | Error failed) {
      if (alarm.off()) {
        throw new TookTooLong(limit, failed);
      }
      throw failed;
    }
    if (alarm.off()) {
      throw new TookTooLong(limit, null);
    }
    if (stopped) {
      // It may have returned because of the interrupt, with its work half done.
      throw new Stopped();
    }
    return CommandReply.completed(command().id(), command().correlationId(), data);
  }

  /** A handler has no more time than its command, unless that may be late. */
  private Duration limit() {
    Duration longest = parts.options().handlerTimeout();
    return timeLeft().filter(left -> left.compareTo(longest) < 0).orElse(longest);
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
    String error = parts.news().text(failure);
    if (stopped) {
      // The interrupt may still be there, and what follows must not fail because of it.
      boolean unused = Thread.interrupted();
      release(parts, List.of(this));
    } else if (phase == Phase.OPENING) {
      parts.news().storeFailed("open", failure);
      tryAgain(error);
    } else if (failure instanceof TookTooLong && isOverdue()) {
      end(timedOut());
    } else if (failure instanceof TookTooLong
        || isTroubleAtTheEnd(failure)
        || parts.transience().isTransient(failure, error)) {
      tryAgain(error);
    } else {
      end(failedFor(failure, error));
    }
  }

  /** The handler has done its part: whatever happened then, it did not refuse the command. */
  private boolean isTroubleAtTheEnd(Throwable failure) {
    return phase == Phase.ENDING && !(failure instanceof CommandFailure);
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
    boolean held = parts.news().ask("retry", () -> parts.store().retry(claim, delay, error));
    if (held) {
      parts.news().retrying(command(), claim.attempt(), delay, error);
    } else {
      parts.news().lost(command());
    }
  }

  /** Ends it in a transaction of its own. If that is not possible, it waits for another attempt. */
  private void end(CommandReply reply) {
    boolean held;
    try {
      held =
          parts
              .transactions()
              .<Boolean, RuntimeException>call(
                  transaction -> {
                    parts.chains().begin(transaction);
                    return parts.store().open(transaction, claim) != Opening.LOST
                        && parts.ending().end(transaction, claim, reply);
                  });
    } catch (RuntimeException | Error failed) {
      parts.chains().rolledBack();
      parts.news().storeFailed("finish", failed);
      postpone(backoff(), parts.news().text(failed));
      return;
    }
    if (held) {
      ended(reply);
    } else {
      parts.news().lost(command());
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
    Thread runs = runner;
    if (runs != null) {
      runs.interrupt();
    }
  }

  /** Called when the bus has stopped and the interrupt did not help: it goes on without it. */
  void giveUpForStop() {
    boolean unused = settle(this::abandon);
  }

  /** Called by the watch: the thread does not come back, so somebody else settles its command. */
  private void giveUp() {
    parts
        .threads()
        .execute(
            () -> {
              boolean unused = settle(this::abandon);
            });
  }

  private void abandon() {
    whenGivenUp.accept(this);
    TookTooLong failure = new TookTooLong(limitReached(), null);
    Thread stuck = runner;
    if (stuck != null) {
      parts.news().stuck(command(), failure.limit(), stuck);
    }
    T transaction = unit;
    try {
      if (transaction != null) {
        parts.store().abort(transaction);
      }
    } catch (RuntimeException | Error failed) {
      parts.news().storeFailed("abort", failed);
    }
    failed(failure);
  }

  private Duration limitReached() {
    return isOverdue() ? claim.timeLeft().orElse(Duration.ZERO) : parts.options().handlerTimeout();
  }

  /** Gives it back as if it had never been taken. */
  static <T> void release(CommandParts<T> parts, List<CommandRun<T>> runs) {
    if (runs.isEmpty()) {
      return;
    }
    List<CommandClaim> claims = runs.stream().map(CommandRun::claim).toList();
    var released = parts.news().ask("release", () -> parts.store().release(claims));
    for (CommandClaim claim : claims) {
      if (released.contains(claim.id())) {
        parts.news().released(claim.command());
      }
    }
  }

  private NewCommand command() {
    return claim.command();
  }

  private Ticker ticker() {
    return parts.ticker();
  }

  /** Another worker has the command: what was done here must roll back. */
  private static final class Lost extends PostroadException {
    private static final long serialVersionUID = 1L;

    Lost(CommandClaim claim) {
      super("command %s was lost: another worker has it, or it has ended".formatted(claim.id()));
    }
  }

  /** The bus stops. */
  private static final class Stopped extends PostroadException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("the handler was interrupted because its node stops");
    }
  }

  /** A handler did not return in time. */
  static final class TookTooLong extends PostroadException {
    private static final long serialVersionUID = 1L;

    private final Duration limit;

    TookTooLong(Duration limit, @Nullable Throwable cause) {
      super("the handler did not return within %s and was interrupted".formatted(limit), cause);
      this.limit = limit;
    }

    Duration limit() {
      return limit;
    }
  }
}
