package io.postroad.micronaut.internal.wiring;

import io.postroad.command.CommandBus;
import java.util.function.Supplier;

/**
 * What a command bus is made of, for whoever makes it.
 *
 * @param <T> what a transaction of the database is
 */
record CommandBusBuilder<T>(Supplier<CommandBus.Builder<T>> builders) {

  CommandBus.Builder<T> make() {
    return builders.get();
  }
}
