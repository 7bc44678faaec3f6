package io.postroad.spring.boot;

import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.store.AuditEntry;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
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
 * {@code /actuator/postroad}: how the outbox and the retry line of the inbox stand, and what a
 * person may decide about them. What stands below {@code /retries} is the retry line's.
 *
 * <p>Reading shows no payload. Changing is refused unless {@code postroad.endpoint.writes-enabled}
 * is set; every change is in the audit with who asked for it, and why. Safe to use from many
 * threads.
 */
@Endpoint(id = "postroad")
public final class PostroadEndpoint {
  private static final int PAGE = 100;
  private static final String NOBODY = "actuator (not logged in)";

  private static final String RETRIES = "retries";

  private final OutboxAdmin admin;
  private final @Nullable OutboxAdmin retries;
  private final EndpointProperties properties;

  /**
   * @param retries of the retry line; none where there is no inbox
   */
  PostroadEndpoint(
      OutboxAdmin admin, @Nullable OutboxAdmin retries, EndpointProperties properties) {
    this.admin = admin;
    this.retries = retries;
    this.properties = properties;
  }

  /** How much waits, is dead, and is held back. */
  @ReadOperation
  public Overview overview() {
    Standing outbox = Standing.of(admin);
    return new Overview(
        outbox.pending(),
        outbox.dead(),
        outbox.lag(),
        outbox.parkedKeys(),
        outbox.paused(),
        retries == null ? null : Standing.of(retries));
  }

  /**
   * One of the lists: dead-letters, parked-keys, paused or audit; up to a hundred each.
   *
   * @throws InvalidEndpointRequestException for another name, or a list that the store has not
   */
  @ReadOperation
  public Map<String, ?> list(@Selector String list) {
    return listOf(admin, list);
  }

  /**
   * The same of the retry line.
   *
   * @param line retries
   * @throws InvalidEndpointRequestException for another name, or without an inbox
   */
  @ReadOperation
  public Map<String, ?> listOf(@Selector String line, @Selector String list) {
    return listOf(retriesAt(line), list);
  }

  private OutboxAdmin retriesAt(String line) {
    if (retries == null || !line.equals(RETRIES)) {
      throw new InvalidEndpointRequestException(
          "there is nothing at '%s'; %s"
              .formatted(
                  line,
                  retries == null
                      ? "there is no inbox of the starter's, so there is no retry line that it knows"
                      : "the retry line is at '%s'".formatted(RETRIES)),
          "unknown line");
    }
    return retries;
  }

  private static Map<String, ?> listOf(OutboxAdmin admin, String list) {
    try {
      return listed(admin, list);
    } catch (NotPossibleException refused) {
      throw notPossible(refused);
    }
  }

  private static InvalidEndpointRequestException notPossible(RuntimeException refused) {
    return new InvalidEndpointRequestException(
        String.valueOf(refused.getMessage()), "not possible", refused);
  }

  private static Map<String, ?> listed(OutboxAdmin admin, String list) {
    return switch (list) {
      case "dead-letters" -> Map.of(list, deadLetters(admin));
      case "parked-keys" -> Map.of(list, parkedKeys(admin));
      case "paused" -> Map.of(list, admin.paused());
      case "audit" -> Map.of(list, audit(admin));
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
    return decide(admin, verb, id, destination, reason, security);
  }

  /**
   * The same in the retry line.
   *
   * @param line retries
   */
  @WriteOperation
  public Map<String, String> decideIn(
      @Selector String line,
      @Selector String verb,
      @Nullable String id,
      @Nullable String destination,
      String reason,
      SecurityContext security) {
    return decide(retriesAt(line), verb, id, destination, reason, security);
  }

  private Map<String, String> decide(
      OutboxAdmin of,
      String verb,
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
      act(of, verb, id, destination, new Decision(who(security), reason));
    } catch (NotPossibleException | IllegalArgumentException refused) {
      throw notPossible(refused);
    }
    return Map.of("done", verb);
  }

  private static void act(
      OutboxAdmin admin,
      String verb,
      @Nullable String id,
      @Nullable String destination,
      Decision decision) {
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

  private static List<Letter> deadLetters(OutboxAdmin admin) {
    return admin.deadLetters(DeadLetterFilter.all(), Optional.empty(), PAGE).stream()
        .map(Letter::of)
        .toList();
  }

  private static List<Key> parkedKeys(OutboxAdmin admin) {
    return admin.blockedKeys(Optional.empty(), PAGE).stream().map(Key::of).toList();
  }

  private static List<AuditEntry> audit(OutboxAdmin admin) {
    return admin.audit(Optional.empty(), PAGE);
  }

  /** How the outbox stands, and the retry line, if there is an inbox. */
  public record Overview(
      long pending,
      long dead,
      Duration lag,
      long parkedKeys,
      List<Pause> paused,
      @Nullable Standing retries) {}

  /** How one of them stands. */
  public record Standing(
      long pending, long dead, Duration lag, long parkedKeys, List<Pause> paused) {
    static Standing of(OutboxAdmin admin) {
      Backlog backlog = admin.backlog();
      return new Standing(
          backlog.pending(), backlog.dead(), backlog.lag(), admin.blockedSummary().keys(), admin.paused());
    }
  }

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
          letter.blocksKey());
    }
  }

  /** A key that waits for a person. */
  public record Key(
      String destination, String key, UUID deadLetter, Instant since, String error, long messages) {

    static Key of(BlockedKey parked) {
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
