package io.postroad.example.rules.infrastructure.outbox;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import io.postroad.spi.OutboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/**
 * What is left of the team's processor: Postroad's relay claims, sends, retries and settles, on
 * every node, woken by each commit. Here are its methods, which have the relay look, and its log
 * lines.
 */
@Service
public class OutboxProcessor implements OutboxObserver {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxProcessor.class);

  private final OutboxStore<?> store;

  public OutboxProcessor(OutboxStore<?> store) {
    this.store = store;
  }

  /** Has the relay look now; it looks by itself every {@code outbox.polling.interval}. */
  public void processOutbox() {
    store.wakeUps().signal();
  }

  /**
   * Has the relay look for failed events that others left to be tried again: a claim takes those
   * that were tried less often than they may be.
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
