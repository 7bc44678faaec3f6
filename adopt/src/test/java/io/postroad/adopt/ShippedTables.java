package io.postroad.adopt;

import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;

/** Tables of the shipped layouts, as their own documents create them. */
enum ShippedTables {
  /** As the payment outbox's migration V2 has it, with its three indexes. */
  PAYMENT_OUTBOX(
      Layouts.paymentOutbox(),
      """
      CREATE TABLE outbox_event (
        id VARCHAR(36) PRIMARY KEY,
        aggregate_type VARCHAR(50) NOT NULL,
        aggregate_id VARCHAR(36) NOT NULL,
        event_type VARCHAR(100) NOT NULL,
        topic VARCHAR(100) NOT NULL,
        partition_key VARCHAR(100) NOT NULL,
        payload TEXT NOT NULL,
        status VARCHAR(20) NOT NULL DEFAULT 'PENDING',
        retry_count INT NOT NULL DEFAULT 0,
        error_message TEXT,
        created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
        published_at TIMESTAMP,
        version INT NOT NULL DEFAULT 1
      );
      CREATE INDEX idx_outbox_status_created ON outbox_event (status, created_at);
      CREATE INDEX idx_outbox_aggregate ON outbox_event (aggregate_type, aggregate_id);
      CREATE INDEX idx_outbox_failed ON outbox_event (status, retry_count) WHERE status = 'FAILED';
      """),
  /** As decision 13 reads the advert market's entry. */
  ADVERT_MARKET(
      Layouts.advertMarket(),
      """
      CREATE TABLE outbox (
        id bigserial PRIMARY KEY,
        deal_id text,
        idempotency_key text NOT NULL UNIQUE,
        topic text NOT NULL,
        partition_key text,
        payload text NOT NULL,
        status text NOT NULL DEFAULT 'PENDING',
        retry_count integer NOT NULL DEFAULT 0,
        version integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        processed_at timestamptz
      );
      """),
  /** As appendix A of the guide has it. */
  MESSAGING_PLATFORM(
      Layouts.messagingPlatform(3),
      """
      CREATE TABLE outbox (
        outbox_id UUID PRIMARY KEY,
        category VARCHAR(20) NOT NULL,
        destination VARCHAR(255) NOT NULL,
        payload TEXT NOT NULL,
        status VARCHAR(20) NOT NULL DEFAULT 'PENDING',
        retry_count INT NOT NULL DEFAULT 0,
        created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
      );
      """),
  /** As Debezium's outbox event router expects it. */
  DEBEZIUM(
      Layouts.debezium(),
      """
      CREATE TABLE outboxevent (
        id uuid NOT NULL PRIMARY KEY,
        aggregatetype varchar(255) NOT NULL,
        aggregateid varchar(255) NOT NULL,
        type varchar(255) NOT NULL,
        payload jsonb
      );
      """);

  @SuppressWarnings("ImmutableEnumChecker") // a layout is immutable
  private final Layout layout;

  private final String ddl;

  ShippedTables(Layout layout, String ddl) {
    this.layout = layout;
    this.ddl = ddl;
  }

  Layout layout() {
    return layout;
  }

  String ddl() {
    return ddl;
  }
}
