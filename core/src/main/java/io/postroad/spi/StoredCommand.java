package io.postroad.spi;

import io.postroad.store.CommandStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A command as a store has it.
 *
 * @param command as it was submitted
 * @param status of the command
 * @param attempt number of claims that count
 * @param times of the command
 * @param lease while it is PROCESSING
 * @param lastError of the latest attempt that failed
 * @param end of the command, once it has ended
 */
public record StoredCommand(
    NewCommand command,
    CommandStatus status,
    int attempt,
    Times times,
    Lease lease,
    Optional<String> lastError,
    End end) {

  /**
   * The times of a command.
   *
   * @param createdAt when it was accepted
   * @param dueAt when it may be claimed; while it is PROCESSING, when its lease ends; empty for a
   *     command that was sent or has ended
   * @param deadline when it times out
   */
  public record Times(Instant createdAt, Optional<Instant> dueAt, Optional<Instant> deadline) {}

  /**
   * The lease of a command; empty unless it is PROCESSING.
   *
   * @param owner the node that has it
   * @param since when the node took it
   */
  public record Lease(Optional<String> owner, Optional<Instant> since) {}

  /** The end of a command; empty until it has ended. */
  public record End(Optional<Instant> at, Optional<CommandOutcome> outcome) {}

  public UUID id() {
    return command.id();
  }

  public Instant createdAt() {
    return times.createdAt();
  }

  public Optional<Instant> dueAt() {
    return times.dueAt();
  }

  public Optional<Instant> deadline() {
    return times.deadline();
  }

  public Optional<String> owner() {
    return lease.owner();
  }

  public Optional<Instant> since() {
    return lease.since();
  }

  public Optional<Instant> finishedAt() {
    return end.at();
  }

  public Optional<CommandOutcome> outcome() {
    return end.outcome();
  }
}
