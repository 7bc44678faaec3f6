package io.postroad.spring.boot;

import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.store.AuditEntry;
import io.postroad.store.Backlog;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.ParkedKey;
import io.postroad.store.Pause;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/postroad}: how the outbox stands, and what a person may decide about it.
 *
 * <p>Reading shows no payload. Changing is refused unless {@code postroad.endpoint.writes-enabled}
 * is set; every change is in the audit with who asked for it, and why. Safe to use from many
 * threads.
 */
@Endpoint(id = "postroad")
public final class PostroadEndpoint {
  private static final int PAGE = 100;
  private static final String NOBODY = "actuator (not logged in)";

  private final OutboxAdmin admin;
  private final EndpointProperties properties;

  PostroadEndpoint(OutboxAdmin admin, EndpointProperties properties) {
    this.admin = admin;
    this.properties = properties;
  }

  /** How much waits, is dead, and is held back. */
  @ReadOperation
  public Overview overview() {
    Backlog backlog = admin.backlog();
    return new Overview(
        backlog.pending(), backlog.dead(), backlog.lag(), admin.parked().keys(), admin.paused());
  }

  /**
   * One of the lists: dead-letters, parked-keys, paused or audit; up to a hundred each.
   *
   * @throws InvalidEndpointRequestException for another name
   */
  @ReadOperation
  public Map<String, ?> list(@Selector String list) {
    return switch (list) {
      case "dead-letters" -> Map.of(list, deadLetters());
      case "parked-keys" -> Map.of(list, parkedKeys());
      case "paused" -> Map.of(list, admin.paused());
      case "audit" -> Map.of(list, audit());
      default ->
          throw new InvalidEndpointRequestException(
              "there is no list '%s'; there are dead-letters, parked-keys, paused, audit"
                  .formatted(list),
              "unknown list");
    };
  }

  /**
   * Does something: replay, skip or discard a dead letter; pause or resume a destination.
   *
   * @param verb what to do
   * @param id of the dead letter, for the verbs that need one
   * @param destination for the verbs that need one
   * @param reason in a sentence, for the audit
   * @throws InvalidEndpointRequestException when it is not allowed or not possible; then nothing
   *     was changed
   */
  @WriteOperation
  public Map<String, String> decide(
      @Selector String verb,
      @Nullable String id,
      @Nullable String destination,
      String reason,
      SecurityContext security) {
    if (!properties.writesEnabled()) {
      throw new InvalidEndpointRequestException(
          "changes are switched off, nothing was changed; set postroad.endpoint.writes-enabled=true"
              + " where only those reach this endpoint who may decide",
          "writes are disabled");
    }
    try {
      act(verb, id, destination, new Decision(who(security), reason));
    } catch (NotPossibleException | IllegalArgumentException refused) {
      throw new InvalidEndpointRequestException(
          String.valueOf(refused.getMessage()), "not possible", refused);
    }
    return Map.of("done", verb);
  }

  private void act(
      String verb, @Nullable String id, @Nullable String destination, Decision decision) {
    switch (verb) {
      case "replay" -> admin.replay(uuid(id), decision);
      case "skip" -> admin.skip(uuid(id), decision);
      case "discard" -> admin.discard(uuid(id), decision);
      case "pause" -> admin.pause(required("destination", destination), decision);
      case "resume" -> admin.resume(required("destination", destination), decision);
      default ->
          throw new IllegalArgumentException(
              "'%s' cannot be done; replay, skip, discard, pause and resume can; nothing was changed"
                  .formatted(verb));
    }
  }

  private static UUID uuid(@Nullable String id) {
    return UUID.fromString(required("id", id));
  }

  private static String required(String name, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing; nothing was changed");
    }
    return value;
  }

  private static String who(SecurityContext security) {
    @Nullable Principal principal = security.getPrincipal();
    return principal == null ? NOBODY : principal.getName();
  }

  private List<Letter> deadLetters() {
    return admin.deadLetters(DeadLetterFilter.all(), Optional.empty(), PAGE).stream()
        .map(Letter::of)
        .toList();
  }

  private List<Key> parkedKeys() {
    return admin.parkedKeys(Optional.empty(), PAGE).stream().map(Key::of).toList();
  }

  private List<AuditEntry> audit() {
    return admin.audit(Optional.empty(), PAGE);
  }

  /** How the outbox stands. */
  public record Overview(
      long pending, long dead, Duration lag, long parkedKeys, List<Pause> paused) {}

  /** A dead letter without its payload. */
  public record Letter(
      UUID id,
      String type,
      String destination,
      @Nullable String key,
      int attempts,
      Instant diedAt,
      String error,
      boolean parksKey) {

    static Letter of(DeadLetter letter) {
      return new Letter(
          letter.id(),
          letter.message().type(),
          letter.message().destination(),
          letter.message().key().orElse(null),
          letter.attempts(),
          letter.diedAt(),
          letter.error(),
          letter.parksKey());
    }
  }

  /** A key that waits for a person. */
  public record Key(
      String destination, String key, UUID deadLetter, Instant since, String error, long messages) {

    static Key of(ParkedKey parked) {
      return new Key(
          parked.key().destination(),
          parked.key().name(),
          parked.deadLetter(),
          parked.since(),
          parked.error(),
          parked.messages());
    }
  }
}
