package io.postroad.example.market.app.outbox;

import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.postroad.example.market.shared.outbox.NewOutboxEntry;
import io.postroad.example.market.shared.outbox.OutboxEntry;
import io.postroad.example.market.shared.outbox.OutboxRepository;
import io.postroad.example.market.shared.outbox.OutboxStatus;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.store.AppendResult;
import java.sql.Connection;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectSeekStep2;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Repository;

/** Writes entries with Postroad, which has adopted the table, and reads them with jOOQ. */
@Repository
class JooqOutboxRepository implements OutboxRepository {
  /** Schema version of the payloads. */
  private static final int PAYLOAD_VERSION = 1;

  private static final Table<Record> OUTBOX = table(name("outbox"));
  private static final Field<Long> ID = field(name("id"), Long.class);
  private static final Field<String> DEAL_ID = field(name("deal_id"), String.class);
  private static final Field<String> IDEMPOTENCY_KEY = field(name("idempotency_key"), String.class);
  private static final Field<String> TOPIC = field(name("topic"), String.class);
  private static final Field<String> PARTITION_KEY = field(name("partition_key"), String.class);
  private static final Field<String> PAYLOAD = field(name("payload"), String.class);
  private static final Field<String> STATUS = field(name("status"), String.class);
  private static final Field<Integer> RETRY_COUNT = field(name("retry_count"), Integer.class);
  private static final Field<Integer> VERSION = field(name("version"), Integer.class);
  private static final Field<OffsetDateTime> CREATED_AT =
      field(name("created_at"), OffsetDateTime.class);
  private static final Field<OffsetDateTime> PROCESSED_AT =
      field(name("processed_at"), OffsetDateTime.class);

  /** Postroad's column with the time of an entry's next attempt. */
  private static final Field<OffsetDateTime> DUE_AT =
      field(name("postroad_due_at"), OffsetDateTime.class);

  private static final Field<OffsetDateTime> A_SECOND_AGO =
      field("current_timestamp - INTERVAL '1 second'", OffsetDateTime.class);

  private final DSLContext jooq;
  private final Outbox<Connection> outbox;

  JooqOutboxRepository(DSLContext jooq, Outbox<Connection> outbox) {
    this.jooq = jooq;
    this.outbox = outbox;
  }

  @Override
  public void save(NewOutboxEntry entry) {
    AppendResult result =
        outbox.append(
            Message.event(entry.type())
                .to(entry.topic())
                .key(entry.partitionKey())
                .aggregate("deal", entry.dealId())
                .deduplicationKey(entry.idempotencyKey())
                .schemaVersion(PAYLOAD_VERSION)
                .json(entry.payload())
                .build());
    if (result instanceof AppendResult.Duplicate) {
      throw new IllegalStateException(
          "an outbox entry with the idempotency key %s exists; roll back the transaction"
              .formatted(entry.idempotencyKey()));
    }
  }

  @Override
  public List<OutboxEntry> findPendingBatch(int batchSize) {
    return entries(
            STATUS
                .eq(OutboxStatus.PENDING.name())
                .and(CREATED_AT.le(A_SECOND_AGO))
                .and(DUE_AT.isNull().or(DUE_AT.le(currentOffsetDateTime()))))
        .limit(batchSize)
        .fetch(JooqOutboxRepository::entry);
  }

  @Override
  public List<OutboxEntry> findByDeal(String dealId) {
    return entries(DEAL_ID.eq(dealId)).fetch(JooqOutboxRepository::entry);
  }

  private SelectSeekStep2<? extends Record, OffsetDateTime, Long> entries(Condition condition) {
    return jooq.select(
            ID,
            DEAL_ID,
            IDEMPOTENCY_KEY,
            TOPIC,
            PARTITION_KEY,
            PAYLOAD,
            STATUS,
            RETRY_COUNT,
            VERSION,
            CREATED_AT,
            PROCESSED_AT)
        .from(OUTBOX)
        .where(condition)
        .orderBy(CREATED_AT.asc(), ID.asc());
  }

  @Override
  public Map<OutboxStatus, Long> countByStatus() {
    Map<OutboxStatus, Long> counts = new EnumMap<>(OutboxStatus.class);
    for (OutboxStatus status : OutboxStatus.values()) {
      counts.put(status, 0L);
    }
    jooq.select(STATUS, count())
        .from(OUTBOX)
        .groupBy(STATUS)
        .forEach(row -> counts.put(OutboxStatus.valueOf(row.value1()), row.value2().longValue()));
    return counts;
  }

  private static OutboxEntry entry(Record row) {
    @Nullable OffsetDateTime processedAt = row.get(PROCESSED_AT);
    return new OutboxEntry(
        row.get(ID),
        row.get(DEAL_ID),
        row.get(IDEMPOTENCY_KEY),
        row.get(TOPIC),
        row.get(PARTITION_KEY),
        row.get(PAYLOAD),
        OutboxStatus.valueOf(row.get(STATUS)),
        row.get(RETRY_COUNT),
        row.get(VERSION),
        row.get(CREATED_AT).toInstant(),
        processedAt == null ? null : processedAt.toInstant());
  }
}
