package io.postroad.example.market.app.deal;

import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.postroad.example.market.deal.Deal;
import io.postroad.example.market.deal.DealExistsException;
import io.postroad.example.market.deal.DealStatus;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.Table;
import org.springframework.stereotype.Repository;

/** Stores deals in the table {@code deal}. Joins the caller's transaction. */
@Repository
class JooqDealRepository {
  private static final Table<Record> DEAL = table(name("deal"));
  private static final Field<String> ID = field(name("id"), String.class);
  private static final Field<String> ADVERTISER_ID = field(name("advertiser_id"), String.class);
  private static final Field<String> CHANNEL_ID = field(name("channel_id"), String.class);
  private static final Field<BigDecimal> PRICE = field(name("price"), BigDecimal.class);
  private static final Field<String> CURRENCY = field(name("currency"), String.class);
  private static final Field<String> STATUS = field(name("status"), String.class);
  private static final Field<Integer> VERSION = field(name("version"), Integer.class);
  private static final Field<String> CANCEL_REASON = field(name("cancel_reason"), String.class);
  private static final Field<OffsetDateTime> UPDATED_AT =
      field(name("updated_at"), OffsetDateTime.class);

  private final DSLContext jooq;

  JooqDealRepository(DSLContext jooq) {
    this.jooq = jooq;
  }

  /**
   * Inserts a deal.
   *
   * @throws DealExistsException if a deal has this id
   */
  void insert(Deal deal) {
    int inserted =
        jooq.insertInto(DEAL)
            .set(ID, deal.id())
            .set(ADVERTISER_ID, deal.advertiserId())
            .set(CHANNEL_ID, deal.channelId())
            .set(PRICE, deal.price())
            .set(CURRENCY, deal.currency())
            .set(STATUS, deal.status().name())
            .set(VERSION, deal.version())
            .onConflict(ID)
            .doNothing()
            .execute();
    if (inserted == 0) {
      throw new DealExistsException(deal.id());
    }
  }

  Optional<Deal> find(String id) {
    return select(id).fetchOptional(JooqDealRepository::deal);
  }

  /**
   * Finds and locks a deal until the end of the transaction. A caller that waits for the lock sees
   * the changed deal.
   */
  Optional<Deal> findForUpdate(String id) {
    return select(id).forUpdate().fetchOptional(JooqDealRepository::deal);
  }

  /** Updates a deal that was found for update. */
  void update(Deal deal) {
    jooq.update(DEAL)
        .set(STATUS, deal.status().name())
        .set(VERSION, deal.version())
        .set(CANCEL_REASON, deal.cancelReason())
        .set(UPDATED_AT, currentOffsetDateTime())
        .where(ID.eq(deal.id()))
        .execute();
  }

  private SelectConditionStep<? extends Record> select(String id) {
    return jooq.select(
            ID, ADVERTISER_ID, CHANNEL_ID, PRICE, CURRENCY, STATUS, VERSION, CANCEL_REASON)
        .from(DEAL)
        .where(ID.eq(id));
  }

  private static Deal deal(Record row) {
    return new Deal(
        row.get(ID),
        row.get(ADVERTISER_ID),
        row.get(CHANNEL_ID),
        row.get(PRICE),
        row.get(CURRENCY),
        DealStatus.valueOf(row.get(STATUS)),
        row.get(VERSION),
        row.get(CANCEL_REASON));
  }
}
