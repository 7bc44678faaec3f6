package io.postroad.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A command that a worker has taken, until its lease ends. Immutable.
 *
 * @param command as it was submitted
 * @param token of this claim: it fences off every earlier one; 0 for a command that is {@linkplain
 *     CommandStore#canCarry carried} and has no row yet
 * @param attempt 1 for the first time that it was taken
 * @param timeLeft until its deadline, as of the claim; zero or less when that is over
 */
public record CommandClaim(
    NewCommand command, long token, int attempt, Optional<Duration> timeLeft) {

  /** The claim of one that is {@linkplain CommandStore#canCarry carried}: its first attempt. */
  public static CommandClaim carried(NewCommand command) {
    return new CommandClaim(command, 0, 1, command.timeout());
  }

  public UUID id() {
    return command.id();
  }

  /** Whether its command has no row yet. */
  public boolean isCarried() {
    return token == 0;
  }
}
