package io.postroad.example.market.app.web;

import io.postroad.example.market.app.deal.DealService;
import io.postroad.example.market.shared.outbox.OutboxEntry;
import io.postroad.example.market.shared.outbox.OutboxPoller;
import io.postroad.example.market.shared.outbox.OutboxRepository;
import io.postroad.example.market.shared.outbox.OutboxStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows the outbox to operators, without payloads. */
@RestController
class OutboxController {
  private final DealService deals;
  private final OutboxRepository outbox;
  private final OutboxPoller poller;

  OutboxController(DealService deals, OutboxRepository outbox, OutboxPoller poller) {
    this.deals = deals;
    this.outbox = outbox;
    this.poller = poller;
  }

  @GetMapping("/outbox/counts")
  Map<OutboxStatus, Long> counts() {
    return outbox.countByStatus();
  }

  /** Wakes the relays, for entries that were inserted by hand. */
  @PostMapping("/outbox/poll")
  @ResponseStatus(HttpStatus.ACCEPTED)
  void poll() {
    poller.poll();
  }

  /** Returns the entries of a deal. */
  @GetMapping("/deals/{dealId}/outbox")
  List<EntryView> ofDeal(@PathVariable("dealId") String dealId) {
    return outbox.findByDeal(deals.find(dealId).id()).stream().map(EntryView::new).toList();
  }

  /** An entry without its payload. */
  record EntryView(
      long id,
      String idempotencyKey,
      String topic,
      OutboxStatus status,
      int retryCount,
      Instant createdAt,
      @Nullable Instant processedAt) {

    EntryView(OutboxEntry entry) {
      this(
          entry.id(),
          entry.idempotencyKey(),
          entry.topic(),
          entry.status(),
          entry.retryCount(),
          entry.createdAt(),
          entry.processedAt());
    }
  }
}
