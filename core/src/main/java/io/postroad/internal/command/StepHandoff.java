package io.postroad.internal.command;

import io.postroad.command.CommandOptions;
import io.postroad.command.CommandRequest;
import io.postroad.internal.command.RunClaim.Origin;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandQueue;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import java.lang.ref.WeakReference;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands of steps on this node without a claim: as the next one of the chain that this
 * thread is at, or in a free place after the commit. Such a command is written as leased to this
 * node, or handed off in memory and written when it ends. Safe to use from many threads.
 *
 * <p>A rollback leaves nothing of the command. A crash between the commit and its run leaves a
 * lease that expires, or what its process has saved of a command that was handed off in memory.
 */
public final class StepHandoff<T> implements StepCommands<T> {
  private final CommandParts<T> parts;
  private final CommandAcceptor<T> acceptor;
  private volatile @Nullable CommandClaimer<T> claimer;

  @SuppressWarnings("ThreadLocalUsage") // one per bus: a thread may use several
  private final ThreadLocal<@Nullable Started<T>> latest = new ThreadLocal<>();

  public StepHandoff(CommandParts<T> parts, CommandAcceptor<T> acceptor) {
    this.parts = parts;
    this.acceptor = acceptor;
  }

  /** Uses the places of this claimer, until it stops. */
  public void open(CommandClaimer<T> started) {
    claimer = started;
  }

  @Override
  public void listen(StepListener<T> listener) {
    parts.completer().listen(listener);
  }

  @Override
  public CommandOptions options() {
    return parts.options();
  }

  @Override
  public Tracing tracing() {
    return parts.handlers().traces().tracing();
  }

  @Override
  public Set<String> types() {
    return acceptor.types();
  }

  @Override
  public Set<String> sentTypes() {
    return acceptor.routes().destinations().keySet();
  }

  @Override
  public Optional<Type> resultType(String type) {
    return parts.handlers().registry().resultType(type);
  }

  @Override
  public void check(CommandRequest request) {
    acceptor.check(request);
  }

  @Override
  public UUID accept(T transaction, CommandRequest request) {
    NewCommand command = acceptor.prepared(request);
    boolean isPlain = command.destination().isEmpty() && command.notBefore().isEmpty();
    if (!isPlain || !canRun(transaction, command.type())) {
      return acceptor.idOf(command, acceptor.write(transaction, command));
    }
    long askedAt = parts.threads().ticker().nanos();
    Acceptance acceptance = acceptor.writeLeased(transaction, command);
    acceptance.claim().ifPresent(claim -> runNext(transaction, claim, askedAt));
    return acceptor.idOf(command, acceptance);
  }

  @Override
  public boolean canHandOff(T transaction, CommandRequest request) {
    boolean isPlain =
        request.notBefore().isEmpty()
            && request.timeout().isEmpty()
            && request.replyTo().isEmpty()
            && !request.lateAllowed()
            && !acceptor.routes().isSent(request.type());
    return isPlain
        && parts.store().handoff().filter(store -> store.isPossible(transaction)).isPresent()
        && canRun(transaction, request.type());
  }

  /** If its place is gone since, the command waits for one; if the bus stops, it gets its row. */
  @Override
  public UUID handOff(T transaction, CommandRequest request) {
    NewCommand command = acceptor.prepared(request);
    CommandClaim claim =
        parts
            .handlers()
            .traces()
            .created(
                command,
                traced -> {
                  parts.events().accepted(traced);
                  return CommandClaim.handedOff(traced);
                });
    runNext(transaction, claim, parts.threads().ticker().nanos());
    return command.id();
  }

  @Override
  public Orphan writeOrphan(CommandRequest request, String why) {
    NewCommand command = acceptor.prepared(request);
    if (command.destination().isPresent()) {
      return acceptor.write(command).isNew() ? Orphan.WRITTEN : orphanWithoutRow(command);
    }
    CommandOptions options = parts.options();
    Optional<CommandClaim> claim =
        parts
            .handlers()
            .traces()
            .created(
                command,
                traced -> handoffs(parts).write(traced, options.name(), options.leaseFor()));
    if (claim.isEmpty()) {
      return orphanWithoutRow(command);
    }
    // A crash before this leaves a lease that expires.
    if (parts.store().retry(claim.get(), Duration.ZERO, why)) {
      parts.store().wakeUps().signal();
    }
    return Orphan.WRITTEN;
  }

  /** Returns the handoff of the store that a process says it has used. */
  static <T> CommandQueue.Handoff<T> handoffs(CommandParts<T> parts) {
    return parts
        .store()
        .handoff()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "store '%s' hands off no commands in memory".formatted(parts.store().name())));
  }

  private Orphan orphanWithoutRow(NewCommand command) {
    return parts.store().find(command.id()).isPresent() ? Orphan.KNOWN : Orphan.KEY_TAKEN;
  }

  /** Cancels a queued command, in a transaction of its own, and tells the listener. */
  public boolean cancel(UUID commandId, String reason) {
    return transactions()
        .call(
            transaction -> {
              Optional<StoredCommand> ended =
                  parts.completer().cancel(transaction, commandId, reason);
              ended.ifPresent(
                  command -> transactions().afterCommit(() -> parts.futures().cancelled(command)));
              return ended.isPresent();
            });
  }

  @Override
  public Recall recall(T transaction, UUID commandId, String reason) {
    Optional<StoredCommand> ended = parts.completer().recall(transaction, commandId, reason);
    if (ended.isPresent()) {
      transactions().afterCommitOf(transaction, () -> parts.futures().cancelled(ended.get()));
      return ended.get().command().destination().isPresent() ? Recall.SENT : Recall.RECALLED;
    }
    return find(transaction, commandId)
        .filter(command -> !command.status().isFinished())
        .map(command -> Recall.TAKEN)
        .orElse(Recall.GONE);
  }

  @Override
  public Optional<StoredCommand> find(T transaction, UUID commandId) {
    return parts.store().find(transaction, commandId);
  }

  private boolean canRun(T transaction, String type) {
    CommandClaimer<T> started = claimer;
    return started != null
        && parts.handlers().registry().hasHandler(type)
        && !started.isStopping()
        && (parts.threads().chainOpenFor(transaction).isPresent()
            || (isCurrent(transaction) && started.freePlaces() > startedIn(transaction)));
  }

  private boolean isCurrent(T transaction) {
    return transactions().current().filter(current -> current == transaction).isPresent();
  }

  private void runNext(T transaction, CommandClaim claim, long askedAt) {
    CommandClaimer<T> started = Objects.requireNonNull(claimer);
    CommandRun<T> run = started.runOf(claim, Origin.ACCEPTED, askedAt);
    Optional<Chain<T>> chain = parts.threads().chainOpenFor(transaction);
    if (chain.isPresent()) {
      chain.get().goOnWith(run);
    } else {
      latest.set(new Started<>(new WeakReference<>(transaction), startedIn(transaction) + 1));
      transactions()
          .afterCommit(
              () -> {
                latest.remove();
                started.offer(run);
              });
    }
  }

  private int startedIn(T transaction) {
    @Nullable Started<T> started = latest.get();
    return started != null && started.transaction().get() == transaction ? started.commands() : 0;
  }

  private Transactions<T> transactions() {
    return parts.transactions();
  }

  /**
   * The number of commands that a transaction begins after its commit: no more than there are
   * places. A rollback is not reported, so a transaction that is run again counts them still, and
   * its further commands queue.
   */
  private record Started<T>(WeakReference<T> transaction, int commands) {}
}
