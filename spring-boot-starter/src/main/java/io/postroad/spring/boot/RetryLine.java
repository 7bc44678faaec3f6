package io.postroad.spring.boot;

import io.postroad.admin.OutboxAdmin;
import io.postroad.spi.OrderedStore;

/**
 * The retry line of the inbox: an outbox of its own, kept apart from the application's, so that
 * whoever asks for a store gets that one. A bean of this type replaces the one that is made:
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
 * @param store where messages wait that failed; in the database of the inbox
 * @param <T> what a transaction of the database is
 */
public record RetryLine<T>(OrderedStore<T> store) implements AutoCloseable {

  /** What a person may decide about messages that wait here; also the bean postroadRetryAdmin. */
  public OutboxAdmin admin() {
    return OutboxAdmin.over(store);
  }

  @Override
  public void close() {
    store.close();
  }
}
