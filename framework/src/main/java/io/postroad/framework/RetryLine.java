package io.postroad.framework;

import io.postroad.admin.OutboxAdmin;
import io.postroad.spi.OrderedStore;

/**
 * The retry line of the inbox: an outbox of its own, in a type of its own, so that a bean of {@code
 * OutboxStore} is always the application's outbox. A bean of this type replaces the default one:
 *
 * <pre>{@code
 * @Bean
 * RetryLine<Connection> retryLine(DataSource dataSource) {
 *   return new RetryLine<>(PostgresOrderedStore.open(dataSource, options.withPrefix("again_")));
 * }
 * }</pre>
 *
 * <p>Safe to use from many threads. Closing it closes its store.
 *
 * @param store holds the messages that failed; in the database of the inbox
 * @param <T> the transaction type of the database
 */
public record RetryLine<T>(OrderedStore<T> store) implements AutoCloseable {

  /** Returns the decisions that operators can take about the messages of this line. */
  public OutboxAdmin admin() {
    return OutboxAdmin.over(store);
  }

  @Override
  public void close() {
    store.close();
  }
}
