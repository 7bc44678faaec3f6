package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code outbox_event}, for reading. Postroad writes the rows; it has adopted the table
 * with {@code Layouts.paymentOutbox()}.
 */
@Entity
@Immutable
@Table(name = "outbox_event")
public class OutboxEvent {
  @Id
  @Column(length = 36)
  private String id = "";

  @Column(name = "aggregate_type", length = 50, nullable = false)
  private String aggregateType = "";

  @Column(name = "aggregate_id", length = 36, nullable = false)
  private String aggregateId = "";

  @Column(name = "event_type", length = 100, nullable = false)
  private String eventType = "";

  @Column(length = 100, nullable = false)
  private String topic = "";

  @Column(name = "partition_key", length = 100, nullable = false)
  private String partitionKey = "";

  @Column(columnDefinition = "text", nullable = false)
  private String payload = "";

  @Enumerated(EnumType.STRING)
  @JdbcTypeCode(SqlTypes.VARCHAR)
  @Column(length = 20, nullable = false)
  private OutboxEventStatus status = OutboxEventStatus.PENDING;

  @Column(name = "retry_count", nullable = false)
  private Integer retryCount = 0;

  @Column(name = "error_message", columnDefinition = "text")
  private @Nullable String errorMessage;

  @JdbcTypeCode(SqlTypes.TIMESTAMP)
  @Column(name = "created_at", nullable = false)
  private Instant createdAt = Instant.EPOCH;

  @JdbcTypeCode(SqlTypes.TIMESTAMP)
  @Column(name = "published_at")
  private @Nullable Instant publishedAt;

  /** The schema version of the payload; not a lock of JPA. */
  @Column(nullable = false)
  private Integer version = 1;

  protected OutboxEvent() {}

  OutboxEvent(
      String id,
      String aggregateType,
      String aggregateId,
      String eventType,
      String topic,
      String partitionKey,
      String payload) {
    this.id = id;
    this.aggregateType = aggregateType;
    this.aggregateId = aggregateId;
    this.eventType = eventType;
    this.topic = topic;
    this.partitionKey = partitionKey;
    this.payload = payload;
    this.createdAt = Instant.now();
  }

  public String getId() {
    return id;
  }

  public String getAggregateType() {
    return aggregateType;
  }

  public String getAggregateId() {
    return aggregateId;
  }

  public String getEventType() {
    return eventType;
  }

  public String getTopic() {
    return topic;
  }

  public String getPartitionKey() {
    return partitionKey;
  }

  public String getPayload() {
    return payload;
  }

  public OutboxEventStatus getStatus() {
    return status;
  }

  public Integer getRetryCount() {
    return retryCount;
  }

  public @Nullable String getErrorMessage() {
    return errorMessage;
  }

  public Instant getCreatedAt() {
    return createdAt;
  }

  public @Nullable Instant getPublishedAt() {
    return publishedAt;
  }

  public Integer getVersion() {
    return version;
  }

  public boolean isFailed() {
    return status == OutboxEventStatus.FAILED;
  }
}
