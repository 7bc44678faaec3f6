package io.postroad.example.payment.infrastructure.adapter.in.web;

import io.postroad.example.payment.domain.CheckedText;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEvent;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEventRepository;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxEventStatus;
import io.postroad.example.payment.infrastructure.adapter.out.outbox.OutboxService;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows failed events to operators, and replays them. Every client that can reach it can decide:
 * protect it.
 */
@RestController
@RequestMapping("/outbox")
class OutboxController {
  private static final int AT_MOST = 100;

  /** Longest name that a {@link io.postroad.store.Decision} accepts. */
  private static final int MAX_BY = 200;

  private static final int MAX_REASON = 2_000;

  private final OutboxService outbox;
  private final OutboxEventRepository events;

  OutboxController(OutboxService outbox, OutboxEventRepository events) {
    this.outbox = outbox;
    this.events = events;
  }

  @GetMapping("/counts")
  Map<OutboxEventStatus, Long> counts() {
    Map<OutboxEventStatus, Long> counts = new EnumMap<>(OutboxEventStatus.class);
    for (OutboxEventStatus status : OutboxEventStatus.values()) {
      counts.put(status, outbox.countByStatus(status));
    }
    return counts;
  }

  /** Returns up to a hundred failed events, the earliest failure first, without their payloads. */
  @GetMapping("/failed")
  List<FailedEvent> failed() {
    return events.findByStatusOrderByCreatedAtAsc(OutboxEventStatus.FAILED, AT_MOST).stream()
        .map(FailedEvent::new)
        .toList();
  }

  /** A failed event. */
  record FailedEvent(
      String id,
      String eventType,
      String aggregateId,
      int retryCount,
      @Nullable String errorMessage,
      Instant createdAt) {

    FailedEvent(OutboxEvent event) {
      this(
          event.getId(),
          event.getEventType(),
          event.getAggregateId(),
          event.getRetryCount(),
          event.getErrorMessage(),
          event.getCreatedAt());
    }
  }

  @PostMapping("/events/{id}/reprocess")
  @ResponseStatus(HttpStatus.ACCEPTED)
  void reprocess(@PathVariable("id") UUID id, @RequestBody Reprocess request) {
    outbox.reprocess(
        id,
        CheckedText.of("by", request.by(), MAX_BY),
        CheckedText.of("reason", request.reason(), MAX_REASON));
  }

  /** The operator and the reason of a decision, for the audit. */
  record Reprocess(@Nullable String by, @Nullable String reason) {}
}
