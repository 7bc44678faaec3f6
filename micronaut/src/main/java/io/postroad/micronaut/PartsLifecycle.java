package io.postroad.micronaut;

import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;
import java.util.List;

/** Tells the parts when the application starts and stops. */
@Singleton
final class PartsLifecycle {
  private final Parts parts;

  /**
   * All of them.
   *
   * @param checked first, because it says better what is wrong
   */
  PartsLifecycle(StoreCheck checked, List<Part> all) {
    parts = new Parts(all);
  }

  @EventListener
  void start(StartupEvent event) {
    parts.start();
  }

  @EventListener
  void stop(ShutdownEvent event) {
    parts.stop();
  }
}
