package io.postroad.example.rules.infrastructure.outbox;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.OutboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/**
 * The rest of the team's processor: its methods, which wake the relay, and its log lines.
 * Postroad's relay claims, sends, retries and settles events on every node, and each commit wakes
 * it.
 */
@Service
public class OutboxProcessor implements OutboxObserver {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxProcessor.class);

  private final OutboxStore<?> store;

  public OutboxProcessor(OutboxStore<?> store) {
    this.store = store;
  }

  /** Wakes the relay, which also polls every {@code outbox.polling.interval}. */
  public void processOutbox() {
    store.wakeUps().signal();
  }

  /**
   * Wakes the relay for failed events that other programs left for a retry: a claim takes events
   * with remaining attempts.
   */
  @Scheduled(fixedDelayString = "${outbox.retry.interval:60000}")
  public void retryFailedEntries() {
    store.wakeUps().signal();
  }

  @Override
  public void on(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.RetryScheduled retry) {
      failed(retry.message(), retry.error());
    } else if (signal instanceof OutboxSignal.Died died) {
      failed(died.message(), died.error());
      LOG.error("Outbox entry {} exceeded max retries, marked as FAILED", died.message().id());
    }
  }

  private static void failed(OutboxSignal.Subject message, String error) {
    LOG.error("Failed to process outbox entry {}: {}", message.id(), error);
  }
}
