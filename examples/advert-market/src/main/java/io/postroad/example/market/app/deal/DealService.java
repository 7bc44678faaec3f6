package io.postroad.example.market.app.deal;

import io.postroad.example.market.deal.Deal;
import io.postroad.example.market.deal.DealEvent;
import io.postroad.example.market.deal.UnknownDealException;
import io.postroad.example.market.shared.outbox.NewOutboxEntry;
import io.postroad.example.market.shared.outbox.OutboxRepository;
import io.postroad.message.JsonCodec;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Changes deals. Each change is one transaction that writes the deal and its outbox entry. The deal
 * is written first, so that the entries of a deal are in the order of its changes.
 */
@Service
public class DealService {
  private final JooqDealRepository deals;
  private final OutboxRepository outbox;
  private final JsonCodec json;
  private final String topic;

  DealService(
      JooqDealRepository deals,
      OutboxRepository outbox,
      JsonCodec json,
      @Value("${app.deals.topic}") String topic) {
    this.deals = deals;
    this.outbox = outbox;
    this.json = json;
    this.topic = topic;
  }

  /**
   * Creates a deal.
   *
   * @throws io.postroad.example.market.deal.DealExistsException if a deal has this id
   */
  @Transactional
  public Deal create(Deal deal) {
    deals.insert(deal);
    return tell(deal);
  }

  /** Funds a deal; see {@link Deal#fund}. */
  @Transactional
  public Deal fund(String id, @Nullable BigDecimal amount) {
    return change(id, deal -> deal.fund(amount));
  }

  /** Completes a deal; see {@link Deal#complete}. */
  @Transactional
  public Deal complete(String id) {
    return change(id, Deal::complete);
  }

  /** Cancels a deal; see {@link Deal#cancel}. */
  @Transactional
  public Deal cancel(String id, @Nullable String reason) {
    return change(id, deal -> deal.cancel(reason));
  }

  /**
   * Returns a deal.
   *
   * @throws UnknownDealException if there is none
   */
  @Transactional(readOnly = true)
  public Deal find(String id) {
    return deals.find(Deal.checkedId(id)).orElseThrow(() -> new UnknownDealException(id));
  }

  private Deal change(String id, UnaryOperator<Deal> step) {
    Deal deal =
        deals.findForUpdate(Deal.checkedId(id)).orElseThrow(() -> new UnknownDealException(id));
    Deal changed = step.apply(deal);
    deals.update(changed);
    return tell(changed);
  }

  private Deal tell(Deal deal) {
    DealEvent event = DealEvent.of(deal, Instant.now());
    outbox.save(
        new NewOutboxEntry(
            event.eventType(),
            deal.id(),
            event.idempotencyKey(),
            topic,
            deal.id(),
            json.encode(event)));
    return deal;
  }
}
