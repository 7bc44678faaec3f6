package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.order.Ordered;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Makes the parts and starts them when the application starts: after all other listeners, so that
 * the tables exist that one of them creates, and no part runs when one of them keeps the
 * application from starting.
 */
@Singleton
final class PartsLifecycle implements ApplicationEventListener<StartupEvent>, Ordered {
  private final BeanProvider<Parts> parts;
  private volatile Optional<Parts> started = Optional.empty();

  /** Takes a provider, because all listeners are made before the first of them is called. */
  PartsLifecycle(BeanProvider<Parts> parts) {
    this.parts = parts;
  }

  @Override
  public void onApplicationEvent(StartupEvent event) {
    Parts made = parts.get();
    made.start();
    started = Optional.of(made);
  }

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  /** Called before all other listeners: work in flight may need what they close. */
  @Singleton
  static final class Stop implements ApplicationEventListener<ShutdownEvent>, Ordered {
    private final PartsLifecycle lifecycle;

    Stop(PartsLifecycle lifecycle) {
      this.lifecycle = lifecycle;
    }

    @Override
    public void onApplicationEvent(ShutdownEvent event) {
      lifecycle.started.ifPresent(Parts::stop);
    }

    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }
  }
}
