package io.postroad.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A command as it was submitted, with checked texts. Immutable.
 *
 * @param id of the command
 * @param type for example {@code CreateOrder}; at most 120 characters
 * @param idempotencyKey at most one command has it; at most 255 characters
 * @param businessKey the subject of the command, in the words of the domain; at most 255 characters
 * @param body what the handler gets
 * @param route of the command and its reply
 * @param times when it is to be handled
 */
public record NewCommand(
    UUID id,
    String type,
    String idempotencyKey,
    String businessKey,
    Body body,
    Route route,
    Times times) {

  /**
   * What the handler gets.
   *
   * @param payload a JSON object
   * @param fingerprint of type and payload: the same key with another one is another command
   * @param headers names and values, at most 64
   */
  public record Body(String payload, String fingerprint, Map<String, String> headers) {
    public Body {
      headers = Map.copyOf(headers);
    }
  }

  /**
   * The route of a command and its reply.
   *
   * @param correlationId comes back in the reply
   * @param destination of a command that goes through a broker; empty for one that a worker takes
   *     from the store
   * @param replyTo destination of the reply; empty for a reply that is only kept
   */
  public record Route(UUID correlationId, Optional<String> destination, Optional<String> replyTo) {}

  /**
   * When a command is to be handled.
   *
   * @param notBefore earliest time, by the clock of the database
   * @param timeout from its acceptance to its deadline; empty for none
   * @param lateAllowed whether it is still handled after its deadline
   */
  public record Times(
      Optional<Instant> notBefore, Optional<Duration> timeout, boolean lateAllowed) {}

  public String payload() {
    return body.payload();
  }

  public String fingerprint() {
    return body.fingerprint();
  }

  public Map<String, String> headers() {
    return body.headers();
  }

  public UUID correlationId() {
    return route.correlationId();
  }

  public Optional<String> destination() {
    return route.destination();
  }

  public Optional<String> replyTo() {
    return route.replyTo();
  }

  public Optional<Instant> notBefore() {
    return times.notBefore();
  }

  public Optional<Duration> timeout() {
    return times.timeout();
  }

  public boolean lateAllowed() {
    return times.lateAllowed();
  }

  /** Returns the same command with other headers. */
  public NewCommand withHeaders(Map<String, String> headers) {
    Body changed = new Body(payload(), fingerprint(), headers);
    return new NewCommand(id, type, idempotencyKey, businessKey, changed, route, times);
  }
}
