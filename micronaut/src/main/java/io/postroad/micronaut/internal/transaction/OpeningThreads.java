package io.postroad.micronaut.internal.transaction;

import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.ConnectionStatus;
import io.micronaut.data.connection.support.AbstractConnectionOperations;
import io.micronaut.data.connection.support.ConnectionCustomizer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Remembers which thread opened which connection or session, as long as it is open. So a
 * transaction that Micronaut passed on to another thread is recognised. Safe to use from many
 * threads.
 */
public final class OpeningThreads<T> implements ConnectionCustomizer<T> {
  private final Map<T, Thread> threads = Collections.synchronizedMap(new IdentityHashMap<>());

  private OpeningThreads() {}

  /** Knows no thread: then a transaction belongs to the first thread that uses Postroad in it. */
  public static <T> OpeningThreads<T> unknown() {
    return new OpeningThreads<>();
  }

  /** Watches all connections that these operations open from now on. */
  public static <T> OpeningThreads<T> of(ConnectionOperations<T> operations) {
    OpeningThreads<T> opening = new OpeningThreads<>();
    if (operations instanceof AbstractConnectionOperations<T> known) {
      known.addConnectionCustomizer(opening);
    }
    return opening;
  }

  Optional<Thread> of(T connection) {
    return Optional.ofNullable(threads.get(connection));
  }

  @Override
  public <R> Function<ConnectionStatus<T>, R> intercept(Function<ConnectionStatus<T>, R> work) {
    return status -> status.isNew() ? noted(status, work) : work.apply(status);
  }

  private <R> R noted(ConnectionStatus<T> status, Function<ConnectionStatus<T>, R> work) {
    T connection = status.getConnection();
    threads.put(connection, Thread.currentThread());
    try {
      return work.apply(status);
    } finally {
      threads.remove(connection);
    }
  }
}
