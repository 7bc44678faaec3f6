package io.postroad.example.market.deal;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What others are told of a change: the deal as it is now. An event can come twice, and after a
 * later one of its deal: receivers MUST drop what has no higher {@code dealVersion} than the last
 * that they took.
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

  /** One for each change: no change is told by two entries. */
  public String idempotencyKey() {
    return dealId + ":" + dealVersion;
  }
}
