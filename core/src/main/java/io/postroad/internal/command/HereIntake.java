package io.postroad.internal.command;

import io.postroad.command.CommandOptions;
import io.postroad.command.CommandRequest;
import io.postroad.internal.command.CommandRun.Origin;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandStore.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.transaction.Transactions;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * ACCEPT of commands that this node goes on with itself, without a claim: as the next one of the
 * chain that this thread is at, or on a place that is free. Safe to use from many threads.
 *
 * <p>What is accepted so is written as taken, or {@linkplain #carry carried} and not written at
 * all. A rollback leaves nothing of it; a crash between the commit and its run leaves a lease that
 * expires, or what whoever has it carried wrote down of it.
 */
public final class HereIntake<T> {
  private final CommandParts<T> parts;
  private final CommandIntake<T> intake;
  private final CommandTaker<T> taker;

  @SuppressWarnings("ThreadLocalUsage") // one per bus: a thread may use several
  private final ThreadLocal<@Nullable Started<T>> latest = new ThreadLocal<>();

  public HereIntake(CommandParts<T> parts, CommandIntake<T> intake, CommandTaker<T> taker) {
    this.parts = parts;
    this.intake = intake;
    this.taker = taker;
  }

  /** Accepts it as taken; empty when it has to queue in the store, and nothing was done. */
  public Optional<Acceptance> accept(T transaction, NewCommand command) {
    boolean isForHere = command.destination().isEmpty() && command.notBefore().isEmpty();
    if (!isForHere || !canTake(transaction, command.type())) {
      return Optional.empty();
    }
    long askedAt = parts.ticker().nanos();
    CommandOptions options = parts.options();
    Acceptance acceptance =
        intake.acceptTaken(transaction, command, options.name(), options.leaseFor());
    acceptance.claim().ifPresent(claim -> goOnWith(transaction, claim, askedAt));
    return Optional.of(acceptance);
  }

  /** Whether {@link #carry} is possible. */
  public boolean canCarry(T transaction, CommandRequest request) {
    boolean isPlain =
        request.notBefore().isEmpty()
            && request.timeout().isEmpty()
            && request.replyTo().isEmpty()
            && !request.lateAllowed()
            && !intake.isSent(request.type());
    return isPlain && parts.store().canCarry(transaction) && canTake(transaction, request.type());
  }

  /**
   * Takes it without writing it down, after {@link #canCarry} has said so in the same transaction.
   * If its place is gone since, it waits for one; if the bus stops, it is written and given back.
   */
  public void carry(T transaction, NewCommand command) {
    goOnWith(transaction, intake.carry(command), parts.ticker().nanos());
  }

  private boolean canTake(T transaction, String type) {
    return parts.registry().hasHandler(type)
        && !taker.isStopping()
        && (parts.chains().openFor(transaction).isPresent()
            || (isCurrent(transaction) && taker.freePlaces() > startedIn(transaction)));
  }

  private boolean isCurrent(T transaction) {
    return units().current().filter(current -> current == transaction).isPresent();
  }

  private void goOnWith(T transaction, CommandClaim claim, long askedAt) {
    CommandRun<T> run = taker.runOf(claim, Origin.ACCEPTED, askedAt);
    Optional<Chain<T>> chain = parts.chains().openFor(transaction);
    if (chain.isPresent()) {
      chain.get().goOnWith(run);
    } else {
      startAfterCommit(transaction, run);
    }
  }

  private void startAfterCommit(T transaction, CommandRun<T> run) {
    latest.set(new Started<>(new WeakReference<>(transaction), startedIn(transaction) + 1));
    units()
        .afterCommit(
            () -> {
              latest.remove();
              taker.offer(run);
            });
  }

  private int startedIn(T transaction) {
    @Nullable Started<T> started = latest.get();
    return started != null && started.transaction().get() == transaction ? started.commands() : 0;
  }

  private Transactions<T> units() {
    return parts.transactions();
  }

  /**
   * How many commands a unit has accepted so: no more than there are places. Nobody tells when a
   * unit rolls back, so if it is run again they count for it still, and the others queue.
   */
  private record Started<T>(WeakReference<T> transaction, int commands) {}
}
