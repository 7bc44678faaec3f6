package io.postroad.spi;

import io.postroad.store.CommandStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A command as it stands.
 *
 * @param command as it was submitted
 * @param status where it is
 * @param attempt how often a worker has taken it
 * @param createdAt when it was accepted
 * @param dueAt when it may be taken; while it is PROCESSING, when its lease ends; empty for one
 *     that is handled elsewhere or finished
 * @param deadline when it times out
 * @param owner who has it, while it is PROCESSING
 * @param since since when, while it is PROCESSING
 * @param lastError of the latest attempt that failed
 * @param finishedAt when it ended
 * @param outcome how it ended
 */
public record StoredCommand(
    NewCommand command,
    CommandStatus status,
    int attempt,
    Instant createdAt,
    Optional<Instant> dueAt,
    Optional<Instant> deadline,
    Optional<String> owner,
    Optional<Instant> since,
    Optional<String> lastError,
    Optional<Instant> finishedAt,
    Optional<CommandOutcome> outcome) {

  public UUID id() {
    return command.id();
  }
}
