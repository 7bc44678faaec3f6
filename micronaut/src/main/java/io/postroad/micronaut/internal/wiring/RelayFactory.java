package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.framework.internal.wiring.Transport;
import io.postroad.framework.internal.wiring.Transports;
import io.postroad.micronaut.internal.settings.BackoffProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.micronaut.internal.settings.RelayProperties;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Makes the relay from the outbox to the application's broker. */
@Factory
@Requires(beans = OutboxStore.class)
@Requires(condition = OnSwitch.Relay.class)
final class RelayFactory {

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  MessageSender postroadMessageSender(RelayProperties properties, List<Transport> all) {
    return new Transports(properties.transport(), all)
        .open(
            "Add postroad-kafka and kafka.bootstrap.servers, or postroad-jms and a ConnectionFactory"
                + " bean (or postroad.mq.host for IBM MQ), or a MessageSender bean, or a Handlers"
                + " bean to handle messages here.");
  }

  @Singleton
  ConnectionBudget.Part postroadRelayConnections() {
    return ConnectionBudget.Part.relay();
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  OutboxRelay postroadRelay(
      OutboxStore<?> store,
      MessageSender sender,
      RelayProperties properties,
      BackoffProperties backoff,
      List<OutboxObserver> observers,
      Optional<Tracing> tracing) {
    return Refusals.unlessFit(
        "postroad.relay",
        () ->
            OutboxRelay.builder(store, sender)
                .options(properties.options(backoff))
                .observer(Observers.ofOutbox(observers))
                .tracing(tracing.orElseGet(Tracing::none))
                .build());
  }

  @Singleton
  Part postroadRelayPart(OutboxRelay relay) {
    return new Part(Part.Phase.RELAY, "relay", relay::start, relay::stop);
  }
}
