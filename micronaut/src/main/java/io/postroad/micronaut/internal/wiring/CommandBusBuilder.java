package io.postroad.micronaut.internal.wiring;

import io.postroad.command.CommandBus;
import java.util.function.Supplier;

/**
 * Makes builders of the command bus, for the process manager or for the bus alone.
 *
 * @param <T> the transaction type of the database
 */
record CommandBusBuilder<T>(Supplier<CommandBus.Builder<T>> builders) {

  CommandBus.Builder<T> make() {
    return builders.get();
  }
}
