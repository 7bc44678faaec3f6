package io.postroad.command;

import io.postroad.command.CommandRun.Origin;
import io.postroad.store.CommandStore.Acceptance;
import io.postroad.store.NewCommand;
import io.postroad.store.Transactions;
import java.lang.ref.WeakReference;
import java.time.Duration;
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
final class HereIntake<T> {
  private final CommandParts<T> parts;
  private final CommandIntake<T> intake;
  private final CommandTaker<T> taker;

  @SuppressWarnings("ThreadLocalUsage") // one per bus: a thread may use several
  private final ThreadLocal<@Nullable Started<T>> latest = new ThreadLocal<>();

  HereIntake(CommandParts<T> parts, CommandIntake<T> intake, CommandTaker<T> taker) {
    this.parts = parts;
    this.intake = intake;
    this.taker = taker;
  }

  /** Accepts it as taken; empty when it has to queue in the store, and nothing was done. */
  Optional<Acceptance> accept(T transaction, NewCommand command) {
    return canTake(transaction, command)
        ? Optional.of(take(transaction, command, intake::acceptTaken))
        : Optional.empty();
  }

  /** Whether {@link #carry} is possible. */
  boolean canCarry(T transaction, NewCommand command) {
    return canTake(transaction, command) && parts.store().canCarry(transaction, command);
  }

  /**
   * Takes it without writing it down, after {@link #canCarry} has said so in the same transaction.
   * If its place is gone since, it waits for one; if the bus stops, it is written and given back.
   */
  Acceptance carry(T transaction, NewCommand command) {
    return take(transaction, command, intake::carry);
  }

  private boolean canTake(T transaction, NewCommand command) {
    return isForHere(command)
        && !taker.isStopping()
        && (parts.chains().openFor(transaction).isPresent()
            || (isCurrent(transaction) && taker.freePlaces() > startedIn(transaction)));
  }

  private boolean isForHere(NewCommand command) {
    return command.destination().isEmpty()
        && command.notBefore().isEmpty()
        && parts.registry().hasHandler(command.type());
  }

  private boolean isCurrent(T transaction) {
    return units().current().filter(current -> current == transaction).isPresent();
  }

  /** How a command that is taken is told to the store. */
  private interface Taking<T> {
    Acceptance take(T transaction, NewCommand command, String node, Duration leaseFor);
  }

  private Acceptance take(T transaction, NewCommand command, Taking<T> taking) {
    long askedAt = parts.ticker().nanos();
    CommandOptions options = parts.options();
    Acceptance acceptance = taking.take(transaction, command, options.name(), options.leaseFor());
    acceptance
        .claim()
        .ifPresent(claim -> goOnWith(transaction, taker.runOf(claim, Origin.ACCEPTED, askedAt)));
    return acceptance;
  }

  private void goOnWith(T transaction, CommandRun<T> run) {
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
