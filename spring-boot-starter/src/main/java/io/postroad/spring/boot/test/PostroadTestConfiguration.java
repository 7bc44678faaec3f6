package io.postroad.spring.boot.test;

import io.postroad.command.CommandBus;
import io.postroad.inbox.Inbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.process.BaseProcessManager;
import io.postroad.spring.boot.StartedByHand;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Adds the beans of {@link PostroadTest}. */
@Configuration(proxyBeanMethods = false)
class PostroadTestConfiguration {

  @Bean
  StartedByHand postroadStartedByHand() {
    return new StartedByHand();
  }

  @Bean
  @Primary
  PublishedMessages postroadPublishedMessages(ObjectProvider<Inbox<?>> inbox) {
    return new PublishedMessages(inbox::getIfAvailable);
  }

  @Bean
  PostroadDrain postroadDrain(
      ObjectProvider<OutboxRelay> relay,
      ObjectProvider<Inbox<?>> inbox,
      ObjectProvider<CommandBus<?>> bus,
      ObjectProvider<BaseProcessManager<?>> processes) {
    return new PostroadDrain(relay, inbox, bus, processes);
  }
}
