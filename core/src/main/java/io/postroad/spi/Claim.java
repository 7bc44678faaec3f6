package io.postroad.spi;

import io.postroad.message.Message;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A message taken under a lease. The pair of id and token proves which claim holds it.
 *
 * @param message the message, whole
 * @param token rises with every claim of this message and never goes back
 * @param attempt 1 for the first claim; a claim after an expired lease counts too
 * @param appendedAt when it was appended, by the database's clock
 * @param expiredOwner the owner that let its lease expire before this claim; empty when none did
 */
public record Claim(
    Message message, long token, int attempt, Instant appendedAt, Optional<String> expiredOwner) {

  public UUID id() {
    return message.id();
  }
}
