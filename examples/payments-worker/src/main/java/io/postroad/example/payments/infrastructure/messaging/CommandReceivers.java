package io.postroad.example.payments.infrastructure.messaging;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.naming.conventions.StringConvention;
import io.postroad.command.CommandBus;
import io.postroad.inbox.Handlers;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.Map;

/**
 * Receives messages from the broker: the commands of this service, which its own processes and
 * other services send, and the replies to the commands that it sent.
 */
@Factory
final class CommandReceivers {

  @Singleton
  Handlers<Connection> handlers(
      CommandBus<Connection> bus,
      @Property(name = "postroad.commands.send")
          @MapFormat(
              transformation = MapFormat.MapTransformation.FLAT,
              keyFormat = StringConvention.RAW)
          Map<String, String> destinations) {
    return bus.receive(Handlers.builder(), destinations).build();
  }
}
