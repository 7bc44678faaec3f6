package io.postroad.spring.boot;

import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.framework.internal.wiring.Transport;
import io.postroad.framework.internal.wiring.Transports;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import io.postroad.trace.Tracing;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Makes the relay from the outbox to the application's broker. */
@AutoConfiguration(after = PostroadTransportAutoConfiguration.class)
@ConditionalOnBean(OutboxStore.class)
@ConditionalOnBooleanProperty(name = "postroad.relay.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RelayProperties.class)
public final class PostroadRelayAutoConfiguration {

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  MessageSender postroadMessageSender(
      RelayProperties properties, ObjectProvider<Transport> transports) {
    return new Transports(properties.transport(), transports.orderedStream().toList())
        .open(
            "Add postroad-kafka with Spring Boot's starter for Kafka, or postroad-jms with one for"
                + " JMS, or a MessageSender bean, or a Handlers bean to handle messages here.");
  }

  @Bean
  ConnectionBudget.Part postroadRelayConnections() {
    return ConnectionBudget.Part.relay();
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  OutboxRelay postroadRelay(
      OutboxStore<?> store,
      MessageSender sender,
      RelayProperties properties,
      ObjectProvider<OutboxObserver> observers,
      ObjectProvider<Tracing> tracing) {
    return Refusals.unlessFit(
        "postroad.relay",
        () ->
            OutboxRelay.builder(store, sender)
                .options(properties.options())
                .observer(Observers.ofOutbox(observers.orderedStream().toList()))
                .tracing(tracing.getIfAvailable(Tracing::none))
                .build());
  }

  @Bean
  PartLifecycle postroadRelayLifecycle(
      OutboxRelay relay, ObjectProvider<StartedByHand> startedByHand) {
    return new PartLifecycle(PartLifecycle.RELAY, relay::start, relay::stop, startedByHand);
  }
}
