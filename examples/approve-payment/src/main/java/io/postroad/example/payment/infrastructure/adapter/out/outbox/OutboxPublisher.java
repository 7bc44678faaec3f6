package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.OutboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The rest of the team's job: its counts and log lines. Postroad's relay claims, sends and settles
 * events on every node, and each commit wakes it.
 */
@Component
public class OutboxPublisher implements OutboxObserver {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxPublisher.class);

  private final OutboxStore<?> store;
  private final OutboxEventRepository outboxRepository;
  private final OutboxPublisherProperties properties;

  public OutboxPublisher(
      OutboxStore<?> store,
      OutboxEventRepository outboxRepository,
      OutboxPublisherProperties properties) {
    this.store = store;
    this.outboxRepository = outboxRepository;
    this.properties = properties;
  }

  /** Wakes the relay for rows of other programs; the relay polls by itself at each fixed-delay. */
  public void publishPendingEvents() {
    store.wakeUps().signal();
  }

  public long getPendingEventsCount() {
    return outboxRepository.countByStatus(OutboxEventStatus.PENDING);
  }

  public long getFailedEventsCount() {
    return outboxRepository.countByStatus(OutboxEventStatus.FAILED);
  }

  @Override
  public void on(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.Polled polled && polled.claimed() > 0) {
      LOG.info("Found {} pending outbox events to publish", polled.claimed());
    } else if (signal instanceof OutboxSignal.Delivered delivered) {
      LOG.info(
          "Event published to Kafka: id={}, partition={}, offset={}",
          delivered.message().id(),
          delivered.receipt().get("partition"),
          delivered.receipt().get("offset"));
    } else if (signal instanceof OutboxSignal.RetryScheduled retry) {
      LOG.warn(
          "Outbox event publish error, will retry: id={}, retryCount={}/{}",
          retry.message().id(),
          retry.attempt(),
          properties.maxRetries());
    } else if (signal instanceof OutboxSignal.Died died) {
      LOG.error("Outbox event FAILED after {} retries: id={}", died.attempt(), died.message().id());
    }
  }
}
