package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.micronaut.UnusableConfigurationException;
import io.postroad.micronaut.internal.settings.BackoffProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.micronaut.internal.settings.Refused;
import io.postroad.micronaut.internal.settings.RelayProperties;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The relay from the outbox to the application's broker. */
@Factory
@Requires(beans = OutboxStore.class)
@Requires(condition = OnSwitch.Relay.class)
final class RelayFactory {

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  MessageSender postroadMessageSender(RelayProperties properties, List<Transport> all) {
    List<Transport> wanted =
        properties.transport() == RelayProperties.Transport.AUTO
            ? automatic(all)
            : all.stream().filter(each -> each.kind() == properties.transport()).toList();
    if (wanted.isEmpty()) {
      throw nowhere(properties, all);
    }
    if (wanted.size() > 1) {
      throw new UnusableConfigurationException(
          "Messages could be sent in several ways: %s.".formatted(kinds(wanted)),
          "Say which with postroad.relay.transport, or declare a MessageSender bean, for example"
              + " RoutingSender.of(..), which sends each destination its own way.");
    }
    return wanted.get(0).opening().get();
  }

  /** Handlers of the application are a way to send only where there is no broker. */
  private static List<Transport> automatic(List<Transport> all) {
    List<Transport> brokers =
        all.stream().filter(each -> each.kind() != RelayProperties.Transport.LOCAL).toList();
    return brokers.isEmpty() ? all : brokers;
  }

  private static UnusableConfigurationException nowhere(
      RelayProperties properties, List<Transport> all) {
    return new UnusableConfigurationException(
        "Nothing would send what is appended: postroad.relay.transport is %s, and there is %s."
            .formatted(
                properties.transport(), all.isEmpty() ? "no way to send" : "only " + kinds(all)),
        "Add postroad-kafka and kafka.bootstrap.servers, or postroad-jms and a ConnectionFactory"
            + " bean (or postroad.mq.host for IBM MQ), or a MessageSender bean, or a Handlers bean"
            + " to handle messages here. If another service sends them, set"
            + " postroad.relay.enabled=false.");
  }

  private static List<RelayProperties.Transport> kinds(List<Transport> transports) {
    return transports.stream().map(Transport::kind).sorted().toList();
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
    return Refused.unlessFit(
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
