package io.postroad.example.market.deal;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The event of a change: the deal after the change. An event can arrive twice, and after a later
 * event of its deal. Receivers MUST ignore an event unless its {@code dealVersion} is higher than
 * the last one.
 *
 * @param eventType DealCreated, DealFunded, DealCompleted or DealCancelled
 */
public record DealEvent(
    String eventType,
    String dealId,
    int dealVersion,
    String advertiserId,
    String channelId,
    BigDecimal price,
    String currency,
    String status,
    @Nullable String cancelReason,
    Instant occurredAt) {

  public static DealEvent of(Deal deal, Instant occurredAt) {
    return new DealEvent(
        type(deal.status()),
        deal.id(),
        deal.version(),
        deal.advertiserId(),
        deal.channelId(),
        deal.price(),
        deal.currency(),
        deal.status().name(),
        deal.cancelReason(),
        occurredAt);
  }

  private static String type(DealStatus status) {
    return switch (status) {
      case CREATED -> "DealCreated";
      case FUNDED -> "DealFunded";
      case COMPLETED -> "DealCompleted";
      case CANCELLED -> "DealCancelled";
    };
  }

  /** Returns the key of the change; no two entries have the same key. */
  public String idempotencyKey() {
    return dealId + ":" + dealVersion;
  }
}
