package io.postroad.spring.boot;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.internal.Observers;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.Refused;
import io.postroad.spring.boot.internal.Transport;
import io.postroad.trace.Tracing;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The relay from the outbox to the application's broker. */
@AutoConfiguration(after = PostroadTransportAutoConfiguration.class)
@ConditionalOnBean(OutboxStore.class)
@ConditionalOnBooleanProperty(name = "postroad.relay.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RelayProperties.class)
public final class PostroadRelayAutoConfiguration {

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  MessageSender postroadMessageSender(
      RelayProperties properties, ObjectProvider<Transport> transports) {
    List<Transport> all = transports.orderedStream().toList();
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
        "Add postroad-kafka with Spring Boot's starter for Kafka, or postroad-jms with one for JMS,"
            + " or a MessageSender bean, or a Handlers bean to handle messages here. If another"
            + " service sends them, set postroad.relay.enabled=false.");
  }

  private static List<RelayProperties.Transport> kinds(List<Transport> transports) {
    return transports.stream().map(Transport::kind).sorted().toList();
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  OutboxRelay postroadRelay(
      OutboxStore<?> store,
      MessageSender sender,
      RelayProperties properties,
      ObjectProvider<OutboxObserver> observers,
      ObjectProvider<Tracing> tracing) {
    return Refused.unlessFit(
        "postroad.relay",
        () ->
            OutboxRelay.builder(store, sender)
                .options(properties.options())
                .observer(Observers.ofOutbox(observers))
                .tracing(tracing.getIfAvailable(Tracing::none))
                .build());
  }

  @Bean
  PartLifecycle postroadRelayLifecycle(
      OutboxRelay relay, ObjectProvider<StartedByHand> startedByHand) {
    return new PartLifecycle(PartLifecycle.RELAY, relay::start, relay::stop, startedByHand);
  }
}
