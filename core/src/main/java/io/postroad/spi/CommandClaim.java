package io.postroad.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A command that a worker has taken, until its lease ends. Immutable.
 *
 * @param command as it was submitted
 * @param token of this claim, which fences off every earlier one; 0 for a command that was
 *     {@linkplain CommandQueue.Handoff handed off in memory} and has no row yet
 * @param attempt 1 for the first claim of the command
 * @param timeLeft until its deadline, as of the claim; zero or less when that has passed
 */
public record CommandClaim(
    NewCommand command, long token, int attempt, Optional<Duration> timeLeft) {

  /** Returns the claim of a command that is handed off in memory: its first attempt. */
  public static CommandClaim handedOff(NewCommand command) {
    return new CommandClaim(command, 0, 1, command.timeout());
  }

  public UUID id() {
    return command.id();
  }

  /** Tells whether its command was handed off in memory and has no row yet. */
  public boolean isHandedOff() {
    return token == 0;
  }
}
