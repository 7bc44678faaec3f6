package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.List;

/** All that runs, together. */
@Factory
final class PartsFactory {

  /**
   * All parts.
   *
   * @param checked first, because it says better what is wrong
   */
  @Singleton
  Parts postroadParts(StoreCheck checked, QueueCheck queues, List<Part> all) {
    queues.requireSomebodyWhoLooks(all);
    return new Parts(all);
  }
}
