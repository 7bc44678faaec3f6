package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import io.postroad.spi.OutboxStore;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Removes published events at night, in small transactions, so that none locks many rows for long.
 */
@Component
public class OutboxCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxCleanup.class);

  private final OutboxStore<?> store;
  private final Duration retention;
  private final int batchSize;

  public OutboxCleanup(
      OutboxStore<?> store,
      @Value("${outbox.cleanup.retention}") Duration retention,
      @Value("${outbox.cleanup.batch-size}") int batchSize) {
    this.store = store;
    this.retention = retention;
    this.batchSize = batchSize;
  }

  /**
   * Removes old events. Several nodes may run it at once. After a crash the next night removes the
   * rest.
   */
  @Scheduled(cron = "${outbox.cleanup.cron}")
  public void cleanupOldEvents() {
    long removed = 0;
    boolean more = true;
    while (more && !Thread.currentThread().isInterrupted()) {
      PurgeResult result = store.purge(retention, batchSize);
      removed += result.messages();
      more = result.more();
    }
    LOG.info("Removed {} outbox events published more than {} ago", removed, retention);
  }
}
