package io.postroad.micronaut.internal.operate;

import io.postroad.admin.OutboxAdmin;
import io.postroad.store.AuditEntry;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Pause;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An outbox as a person sees it, without payloads: maps of texts and numbers, which every mapper of
 * an application writes in the same way.
 */
final class AdminView {
  private static final int PAGE = 100;

  private AdminView() {}

  static Map<String, Object> standing(OutboxAdmin admin) {
    Backlog backlog = admin.backlog();
    Map<String, Object> standing = new LinkedHashMap<>();
    standing.put("pending", backlog.pending());
    standing.put("dead", backlog.dead());
    standing.put("lag", backlog.lag().toString());
    standing.put("parkedKeys", admin.blockedSummary().keys());
    standing.put("paused", paused(admin));
    return standing;
  }

  /**
   * Up to a hundred.
   *
   * @throws IllegalArgumentException for another name than those of the lists
   */
  static Map<String, Object> list(OutboxAdmin admin, String list) {
    return switch (list) {
      case "dead-letters" ->
          Map.of(
              list,
              admin.deadLetters(DeadLetterFilter.all(), Optional.empty(), PAGE).stream()
                  .map(AdminView::letter)
                  .toList());
      case "parked-keys" ->
          Map.of(
              list, admin.blockedKeys(Optional.empty(), PAGE).stream().map(AdminView::key).toList());
      case "paused" -> Map.of(list, paused(admin));
      case "audit" ->
          Map.of(list, admin.audit(Optional.empty(), PAGE).stream().map(AdminView::entry).toList());
      default ->
          throw new IllegalArgumentException(
              "there is no list '%s'; there are dead-letters, parked-keys, paused, audit"
                  .formatted(list));
    };
  }

  private static Map<String, Object> letter(DeadLetter letter) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", letter.id().toString());
    view.put("type", letter.message().type());
    view.put("destination", letter.message().destination());
    letter.message().key().ifPresent(key -> view.put("key", key));
    view.put("attempts", letter.attempts());
    view.put("diedAt", letter.diedAt().toString());
    view.put("error", letter.error());
    view.put("parksKey", letter.blocksKey());
    return view;
  }

  private static Map<String, Object> key(BlockedKey parked) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("destination", parked.key().destination());
    view.put("key", parked.key().name());
    view.put("deadLetter", parked.deadLetter().toString());
    view.put("since", parked.since().toString());
    view.put("error", parked.error());
    view.put("messages", parked.messages());
    return view;
  }

  private static List<Map<String, Object>> paused(OutboxAdmin admin) {
    return admin.paused().stream().map(AdminView::pause).toList();
  }

  private static Map<String, Object> pause(Pause pause) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("destination", pause.destination());
    view.put("since", pause.since().toString());
    view.put("by", pause.by());
    view.put("reason", pause.reason());
    return view;
  }

  private static Map<String, Object> entry(AuditEntry entry) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("at", entry.at().toString());
    view.put("by", entry.by());
    view.put("action", entry.action());
    view.put("subject", entry.subject());
    view.put("reason", entry.reason());
    view.put("detail", entry.detail());
    return view;
  }
}
