package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.List;

/** Collects all parts that run. */
@Factory
final class PartsFactory {

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
