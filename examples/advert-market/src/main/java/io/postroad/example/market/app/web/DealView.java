package io.postroad.example.market.app.web;

import io.postroad.example.market.deal.Deal;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A deal as clients see it. */
record DealView(
    String dealId,
    String advertiserId,
    String channelId,
    BigDecimal price,
    String currency,
    String status,
    int version,
    @Nullable String cancelReason) {

  DealView(Deal deal) {
    this(
        deal.id(),
        deal.advertiserId(),
        deal.channelId(),
        deal.price(),
        deal.currency(),
        deal.status().name(),
        deal.version(),
        deal.cancelReason());
  }
}
