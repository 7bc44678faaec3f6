package io.postroad.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker whether the last transaction of a transactional id is decided but has not ended:
 * it waits for a partition that it has to mark. Thread-safe.
 */
final class UnfinishedTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);
  private static final Set<TransactionState> UNFINISHED =
      Set.of(TransactionState.PREPARE_ABORT, TransactionState.PREPARE_COMMIT);

  private final Map<String, Object> settings;
  private final int timeoutMillis;

  UnfinishedTransactions(ProducerSettings producer) {
    Map<String, Object> all = new HashMap<>(producer.map());
    all.keySet().retainAll(AdminClientConfig.configNames());
    this.timeoutMillis = (int) producer.maxBlock().toMillis();
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMillis);
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis);
    this.settings = all;
  }

  /** Whether it has one; a broker that does not answer has none, as far as is known. */
  boolean has(String transactionalId) {
    Admin admin = null;
    try {
      admin = Admin.create(settings);
      return UNFINISHED.contains(
          admin
              .describeTransactions(
                  List.of(transactionalId),
                  new DescribeTransactionsOptions().timeoutMs(timeoutMillis))
              .description(transactionalId)
              .get()
              .state());
    } catch (KafkaException | ExecutionException e) {
      LOG.debug("kafka: could not ask for the transaction of {}", transactionalId, e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      if (admin != null) {
        admin.close(Duration.ZERO);
      }
    }
  }
}
