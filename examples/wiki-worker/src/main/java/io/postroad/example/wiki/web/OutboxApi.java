package io.postroad.example.wiki.web;

import io.postroad.admin.OutboxAdmin;
import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.example.wiki.store.OutboxCollection;
import io.postroad.example.wiki.work.DeadLetterSweeper;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The outbox for operators. Thread-safe. */
final class OutboxApi {
  private static final int LISTED = 100;

  private final Json json;
  private final OutboxCollection outbox;
  private final OutboxAdmin admin;
  private final DeadLetterSweeper sweeper;

  OutboxApi(Json json, OutboxCollection outbox, OutboxAdmin admin, DeadLetterSweeper sweeper) {
    this.json = json;
    this.outbox = outbox;
    this.admin = admin;
    this.sweeper = sweeper;
  }

  void addTo(Router router) {
    router
        .on("GET", "/api/outbox/counts", request -> json.reply(200, outbox.counts()))
        .on("GET", "/api/outbox/dead", request -> dead())
        .on("POST", "/api/outbox/dead/{id}/replay", this::replay);
  }

  private Reply dead() {
    return json.reply(200, Json.object("dead", letters().stream().map(OutboxApi::letter).toList()));
  }

  /** Returns the dead letters, the oldest death first. */
  List<DeadLetter> letters() {
    return admin.deadLetters(DeadLetterFilter.all(), Optional.empty(), LISTED);
  }

  Map<String, Long> counts() {
    return outbox.counts();
  }

  private static Map<String, Object> letter(DeadLetter letter) {
    return Json.object(
        "id", letter.id().toString(),
        "stream", letter.message().destination(),
        "event_type", letter.message().type(),
        "aggregate_id", letter.message().aggregateId().orElse(""),
        "attempts", letter.attempts(),
        "last_error", letter.error(),
        "died_at", letter.diedAt().toString());
  }

  private Reply replay(Request request) throws IOException {
    Json.Body body = json.body(request, List.of("by", "reason"));
    replay(request.path("id"), body.text("by"), body.text("reason"));
    return json.reply(202, Json.object("id", request.path("id")));
  }

  /** Replays a dead letter, with all its attempts. */
  void replay(String id, String by, String reason) {
    UUID letter = id(id);
    if (admin.find(letter).isEmpty()) {
      throw RefusedException.notFound("id", "is of no event");
    }
    admin.replay(letter, decision(by, reason));
    sweeper.look();
  }

  private static UUID id(String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException other) {
      throw RefusedException.invalid("id", "must be a UUID");
    }
  }

  private static Decision decision(String by, String reason) {
    requireLength("by", by, 200);
    requireLength("reason", reason, 2_000);
    return new Decision(by, reason);
  }

  private static void requireLength(String field, String text, int max) {
    if (text.isBlank() || text.length() > max) {
      throw RefusedException.invalid(field, "must have 1 to %d characters".formatted(max));
    }
  }
}
