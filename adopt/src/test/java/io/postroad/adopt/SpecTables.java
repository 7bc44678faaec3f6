package io.postroad.adopt;

/** Tables and collections of the shipped layouts, as their own documents describe them. */
public final class SpecTables {
  private SpecTables() {}

  static TableShape paymentOutbox() {
    return Shapes.table(
        "outbox_event",
        """
        id text(36) not null unique
        aggregate_type text(50) not null
        aggregate_id text(36) not null
        event_type text(100) not null
        topic text(100) not null
        partition_key text(100) not null
        payload text not null
        status text(20) not null default 'PENDING'
        retry_count number not null default
        error_message text
        created_at timestamp not null default
        published_at timestamp
        version number not null default""");
  }

  public static TableShape advertMarket() {
    return Shapes.table(
        "outbox",
        """
        id number not null default unique
        deal_id number
        idempotency_key text not null unique
        topic text not null
        partition_key text
        payload json not null
        status text not null default 'PENDING'
        retry_count number not null default
        version number not null default
        created_at timestamptz not null default
        processed_at timestamptz""");
  }

  static TableShape messagingPlatform() {
    return Shapes.table(
        "outbox",
        """
        outbox_id uuid not null unique
        category text not null
        destination text not null
        payload text not null
        status text not null
        retry_count number not null default
        created_at timestamp not null default""");
  }

  public static TableShape debezium() {
    return Shapes.table(
        "outboxevent",
        """
        id uuid not null unique
        aggregatetype text(255) not null
        aggregateid text(255) not null
        type text(255) not null
        payload json""");
  }

  public static TableShape recurringRules() {
    return Shapes.collection(
        "outbox",
        """
        _id uuid
        aggregateType text
        aggregateId text
        eventType text
        payload json
        status text
        targetTopic text
        createdAt timestamptz
        processedAt unknown
        retryCount number
        maxRetries number
        nextRetryAt unknown
        lastError unknown""");
  }

  public static TableShape brokerless() {
    return Shapes.collection(
        "outbox",
        """
        _id objectid
        stream text
        event_type text
        aggregate_id text
        payload json
        created_at timestamptz
        status text
        lease_owner text
        lease_until timestamptz
        attempts number
        last_error text
        next_retry_at timestamptz""");
  }
}
