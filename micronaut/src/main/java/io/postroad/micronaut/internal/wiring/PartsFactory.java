package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Factory;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Collects all parts that run, and divides the connection pool among them. */
@Factory
final class PartsFactory {

  @Singleton
  ConnectionBudget postroadConnectionBudget(
      BeanContext beans, Optional<ConnectionBudget.Pool> pool) {
    return new ConnectionBudget(
        pool.orElse(() -> null),
        () -> List.copyOf(beans.getBeansOfType(ConnectionBudget.Part.class)));
  }

  /**
   * Returns all parts.
   *
   * @param checked created first, because its refusal says best what is wrong
   */
  @Singleton
  Parts postroadParts(StoreCheck checked, QueueCheck queues, List<Part> all) {
    queues.requireCheck(all);
    return new Parts(all);
  }
}
