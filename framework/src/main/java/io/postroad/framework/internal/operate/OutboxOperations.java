package io.postroad.framework.internal.operate;

import io.postroad.admin.NotPossibleException;
import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.RetryLine;
import io.postroad.store.AuditEntry;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations of the management endpoint, on the outbox and on the retry line of the inbox. The
 * results are maps of texts and numbers, without payloads, which every JSON mapper writes in the
 * same way. Every change is in the audit, with the actor and the reason.
 *
 * <p>Safe to use from many threads. Throws {@link OperationRefusedException} for a request that is
 * wrong, not possible or not allowed.
 */
public final class OutboxOperations {
  private static final int PAGE = 100;
  private static final String RETRIES = "retries";

  /**
   * A request to change something.
   *
   * @param actor the name of the user that is logged in
   * @param id of a dead letter, for the verbs that need one
   * @param destination for the verbs that need one
   * @param reason a sentence for the audit
   */
  public record Change(
      String verb,
      String actor,
      @Nullable String id,
      @Nullable String destination,
      @Nullable String reason) {

    private UUID requiredId() {
      return UUID.fromString(required("id", id));
    }

    private String requiredDestination() {
      return required("destination", destination);
    }

    private static String required(String name, @Nullable String value) {
      if (value == null) {
        throw new IllegalArgumentException(name + " is missing; nothing was changed");
      }
      return value;
    }
  }

  private final OutboxAdmin outbox;
  private final Optional<OutboxAdmin> retries;
  private final boolean writesEnabled;

  /**
   * @param retries empty where there is no inbox
   * @param writesEnabled whether changes are allowed
   */
  public OutboxOperations(
      OutboxAdmin outbox, Optional<? extends RetryLine<?>> retries, boolean writesEnabled) {
    this.outbox = outbox;
    this.retries = retries.map(RetryLine::admin);
    this.writesEnabled = writesEnabled;
  }

  /** Returns counts of the outbox, and of the retry line under {@code retries}. */
  public Map<String, Object> overview() {
    Map<String, Object> overview = counts(outbox);
    retries.ifPresent(line -> overview.put(RETRIES, counts(line)));
    return overview;
  }

  /** Returns a list of the outbox: dead-letters, parked-keys, paused or audit; up to a hundred. */
  public Map<String, Object> list(String list) {
    return answer(() -> list(outbox, list));
  }

  /** Returns a list of the retry line, with {@code retries} as line. */
  public Map<String, Object> list(String line, String list) {
    return answer(() -> list(retryLine(line), list));
  }

  /** Replays, skips or discards a dead letter, or pauses or resumes a destination. */
  public Map<String, Object> change(Change change) {
    return change(() -> outbox, change);
  }

  /** Does the same in the retry line, where a destination is the source of a message. */
  public Map<String, Object> change(String line, Change change) {
    return change(() -> retryLine(line), change);
  }

  private Map<String, Object> change(Supplier<OutboxAdmin> admin, Change change) {
    if (!writesEnabled) {
      throw new OperationRefusedException(
          403,
          "changes are switched off, nothing was changed; set postroad.endpoint.writes-enabled=true"
              + " where only operators who may decide reach this endpoint");
    }
    return answer(
        () -> {
          Decision decision =
              new Decision(change.actor(), Change.required("reason", change.reason()));
          apply(admin.get(), change, decision);
          return Map.of("done", change.verb());
        });
  }

  private static void apply(OutboxAdmin admin, Change change, Decision decision) {
    switch (change.verb()) {
      case "replay" -> admin.replay(change.requiredId(), decision);
      case "skip" -> admin.skip(change.requiredId(), decision);
      case "discard" -> admin.discard(change.requiredId(), decision);
      case "pause" -> admin.pause(change.requiredDestination(), decision);
      case "resume" -> admin.resume(change.requiredDestination(), decision);
      default ->
          throw new IllegalArgumentException(
              "'%s' cannot be done; replay, skip, discard, pause and resume can; nothing was changed"
                  .formatted(change.verb()));
    }
  }

  private static Map<String, Object> answer(Supplier<Map<String, Object>> operation) {
    try {
      return operation.get();
    } catch (NotPossibleException | IllegalArgumentException refused) {
      throw new OperationRefusedException(400, String.valueOf(refused.getMessage()));
    }
  }

  private OutboxAdmin retryLine(String line) {
    if (!line.equals(RETRIES)) {
      throw new IllegalArgumentException(
          "there is nothing at '%s'; the retry line is at '%s'".formatted(line, RETRIES));
    }
    return retries.orElseThrow(
        () ->
            new IllegalArgumentException("there is no RetryLine bean, so there is no retry line"));
  }

  private static Map<String, Object> counts(OutboxAdmin admin) {
    Backlog backlog = admin.backlog();
    return row(
        "pending dead lag parkedKeys paused",
        backlog.pending(),
        backlog.dead(),
        backlog.lag().toString(),
        admin.blockedSummary().keys(),
        paused(admin));
  }

  private static Map<String, Object> list(OutboxAdmin admin, String list) {
    List<Map<String, Object>> rows =
        switch (list) {
          case "dead-letters" ->
              admin.deadLetters(DeadLetterFilter.all(), Optional.empty(), PAGE).stream()
                  .map(OutboxOperations::row)
                  .toList();
          case "parked-keys" ->
              admin.blockedKeys(Optional.empty(), PAGE).stream()
                  .map(OutboxOperations::row)
                  .toList();
          case "paused" -> paused(admin);
          case "audit" ->
              admin.audit(Optional.empty(), PAGE).stream().map(OutboxOperations::row).toList();
          default ->
              throw new IllegalArgumentException(
                  "there is no list '%s'; there are dead-letters, parked-keys, paused, audit"
                      .formatted(list));
        };
    return Map.of(list, rows);
  }

  private static List<Map<String, Object>> paused(OutboxAdmin admin) {
    return admin.paused().stream().map(OutboxOperations::row).toList();
  }

  private static Map<String, Object> row(DeadLetter letter) {
    Map<String, Object> row =
        row(
            "id type destination attempts diedAt error parksKey",
            letter.id().toString(),
            letter.message().type(),
            letter.message().destination(),
            letter.attempts(),
            letter.diedAt().toString(),
            letter.error(),
            letter.blocksKey());
    letter.message().key().ifPresent(key -> row.put("key", key));
    return row;
  }

  private static Map<String, Object> row(BlockedKey parked) {
    return row(
        "destination key deadLetter since error messages",
        parked.key().destination(),
        parked.key().name(),
        parked.deadLetter().toString(),
        parked.since().toString(),
        parked.error(),
        parked.messages());
  }

  private static Map<String, Object> row(Pause pause) {
    return row(
        "destination since by reason",
        pause.destination(),
        pause.since().toString(),
        pause.by(),
        pause.reason());
  }

  private static Map<String, Object> row(AuditEntry entry) {
    return row(
        "at by action subject reason detail",
        entry.at().toString(),
        entry.by(),
        entry.action(),
        entry.subject(),
        entry.reason(),
        entry.detail());
  }

  /** Returns values by their names, in this order; the names are separated by blanks. */
  private static Map<String, Object> row(String names, Object... values) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (String name : names.split(" ", -1)) {
      row.put(name, values[row.size()]);
    }
    return row;
  }
}
