package io.postroad.example.market.app.web;

import io.postroad.example.market.app.deal.DealService;
import io.postroad.example.market.deal.Deal;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handles deals over HTTP. The deal itself checks all input. A client that does not accept JSON is
 * refused before a change, because the answer could not be written afterwards.
 */
@RestController
@RequestMapping(path = "/deals", produces = MediaType.APPLICATION_JSON_VALUE)
class DealController {
  private final DealService deals;

  DealController(DealService deals) {
    this.deals = deals;
  }

  /** A new deal. The client chooses its id, so that it can repeat the request. */
  record NewDeal(
      @Nullable String dealId,
      @Nullable String advertiserId,
      @Nullable String channelId,
      @Nullable BigDecimal price,
      @Nullable String currency) {}

  record Funding(@Nullable BigDecimal amount) {}

  record Cancellation(@Nullable String reason) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  DealView create(@RequestBody NewDeal wanted) {
    return new DealView(
        deals.create(
            Deal.create(
                wanted.dealId(),
                wanted.advertiserId(),
                wanted.channelId(),
                wanted.price(),
                wanted.currency())));
  }

  @PostMapping("/{dealId}/fund")
  DealView fund(@PathVariable("dealId") String dealId, @RequestBody Funding funding) {
    return new DealView(deals.fund(dealId, funding.amount()));
  }

  @PostMapping("/{dealId}/complete")
  DealView complete(@PathVariable("dealId") String dealId) {
    return new DealView(deals.complete(dealId));
  }

  @PostMapping("/{dealId}/cancel")
  DealView cancel(@PathVariable("dealId") String dealId, @RequestBody Cancellation cancellation) {
    return new DealView(deals.cancel(dealId, cancellation.reason()));
  }

  @GetMapping("/{dealId}")
  DealView find(@PathVariable("dealId") String dealId) {
    return new DealView(deals.find(dealId));
  }
}
