package io.postroad.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A command as it was submitted. Immutable; whoever makes one has checked its texts.
 *
 * @param id of the command
 * @param type for example {@code CreateOrder}; at most 120 characters
 * @param idempotencyKey at most one command has it; at most 255 characters
 * @param businessKey what it is about, in the words of the domain; at most 255 characters
 * @param payload a JSON object
 * @param fingerprint of type and payload: the same key with another one is another command
 * @param headers names and values, at most 64
 * @param correlationId what its reply carries back
 * @param destination where it is handled, for one that goes through a broker; empty for one that is
 *     taken from the store itself
 * @param replyTo where its reply is sent to; empty for one whose reply is only kept
 * @param notBefore not to be handled before this time, by the database's clock
 * @param timeout so long after it was accepted it has timed out, unless it was handled; empty for
 *     never
 * @param lateAllowed whether it is still handled after it timed out
 */
public record NewCommand(
    UUID id,
    String type,
    String idempotencyKey,
    String businessKey,
    String payload,
    String fingerprint,
    Map<String, String> headers,
    UUID correlationId,
    Optional<String> destination,
    Optional<String> replyTo,
    Optional<Instant> notBefore,
    Optional<Duration> timeout,
    boolean lateAllowed) {
  public NewCommand {
    headers = Map.copyOf(headers);
  }

  /** The same command with other headers. */
  public NewCommand withHeaders(Map<String, String> newHeaders) {
    return new NewCommand(
        id,
        type,
        idempotencyKey,
        businessKey,
        payload,
        fingerprint,
        newHeaders,
        correlationId,
        destination,
        replyTo,
        notBefore,
        timeout,
        lateAllowed);
  }
}
