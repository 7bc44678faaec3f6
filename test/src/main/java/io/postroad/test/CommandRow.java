package io.postroad.test;

import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One command and its state, guarded by the lock of the database. */
final class CommandRow {
  final NewCommand command;
  private final Instant createdAt;
  private final @Nullable Instant deadline;
  private CommandStatus status = CommandStatus.PENDING;
  private @Nullable Instant dueAt;
  private boolean toldLate;
  private int attempt;
  private long token;
  private @Nullable String owner;
  private @Nullable Instant since;
  private @Nullable String lastError;
  private @Nullable Instant finishedAt;
  private @Nullable CommandOutcome outcome;

  CommandRow(NewCommand command, Instant now) {
    this.command = command;
    this.createdAt = now;
    this.deadline = command.timeout().map(now::plus).orElse(null);
    if (command.destination().isEmpty()) {
      dueAt = command.notBefore().filter(time -> time.isAfter(now)).orElse(now);
    }
  }

  UUID id() {
    return command.id();
  }

  boolean isUnfinished() {
    return !status.isFinished();
  }

  Optional<Instant> due() {
    return Optional.ofNullable(dueAt);
  }

  boolean isDue(Instant now) {
    return isUnfinished() && dueAt != null && !dueAt.isAfter(now);
  }

  /** Tells whether no node has taken it, or its lease is over. */
  boolean isFree(Instant now) {
    return status == CommandStatus.PENDING || isDue(now);
  }

  boolean isLate(Instant now) {
    return deadline != null && !deadline.isAfter(now);
  }

  boolean wasToldLate() {
    return toldLate;
  }

  void tellLate() {
    toldLate = true;
  }

  boolean isElsewhere() {
    return isUnfinished() && dueAt == null;
  }

  void arrive(Instant now) {
    dueAt = command.notBefore().filter(time -> time.isAfter(now)).orElse(now);
  }

  CommandClaim claim(String claimer, Instant now, Duration leaseFor) {
    status = CommandStatus.PROCESSING;
    attempt++;
    token++;
    owner = claimer;
    since = now;
    dueAt = now.plus(leaseFor);
    return new CommandClaim(
        command,
        token,
        attempt,
        Optional.ofNullable(deadline).map(end -> Duration.between(now, end)));
  }

  boolean holds(CommandClaim claim) {
    return status == CommandStatus.PROCESSING && token == claim.token();
  }

  void finish(CommandOutcome how, Instant now) {
    status = how.status();
    outcome = how;
    finishedAt = now;
    free(null);
  }

  void retry(Instant at, String error) {
    status = CommandStatus.PENDING;
    lastError = error;
    free(at);
  }

  void handOver(Instant at, String why) {
    attempt--;
    retry(at, why);
  }

  void release(Instant now) {
    status = CommandStatus.PENDING;
    attempt--;
    free(now);
  }

  private void free(@Nullable Instant due) {
    dueAt = due;
    owner = null;
    since = null;
  }

  boolean endedBefore(Instant time) {
    return finishedAt != null && finishedAt.isBefore(time);
  }

  StoredCommand stored() {
    return new StoredCommand(
        command,
        status,
        attempt,
        new StoredCommand.Times(
            createdAt, Optional.ofNullable(dueAt), Optional.ofNullable(deadline)),
        new StoredCommand.Lease(Optional.ofNullable(owner), Optional.ofNullable(since)),
        Optional.ofNullable(lastError),
        new StoredCommand.End(Optional.ofNullable(finishedAt), Optional.ofNullable(outcome)));
  }

  /** Returns the command as it will be once it has ended with this outcome. */
  StoredCommand ended(CommandOutcome how, Instant now) {
    return new StoredCommand(
        command,
        how.status(),
        attempt,
        new StoredCommand.Times(createdAt, Optional.empty(), Optional.ofNullable(deadline)),
        new StoredCommand.Lease(Optional.empty(), Optional.empty()),
        Optional.ofNullable(lastError),
        new StoredCommand.End(Optional.of(now), Optional.of(how)));
  }
}
