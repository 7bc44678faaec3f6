package io.postroad.spring.boot;

import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.RetryLine;
import io.postroad.framework.RetryLineObserver;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxObserver;
import io.postroad.spi.InboxStore;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.settings.InboxProperties;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Makes the inbox of an application with a bean of {@link Handlers}. */
@AutoConfiguration(after = PostroadOutboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "postroad.inbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(InboxProperties.class)
public final class PostroadInboxAutoConfiguration {

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  @ConditionalOnBean({Handlers.class, InboxStore.class, RetryLine.class, Transactions.class})
  <T> Inbox<T> postroadInbox(
      InboxStore<T> store,
      Handlers<T> handlers,
      RetryLine<T> retries,
      Transactions<T> transactions,
      InboxProperties properties,
      ConnectionBudget budget,
      ObjectProvider<InboxObserver> observers,
      ObjectProvider<RetryLineObserver> retryObservers,
      ObjectProvider<Tracing> tracing) {
    return Inbox.builder(store, handlers)
        .retries(retries.store())
        .transactions(transactions)
        .options(Refusals.unlessFit("postroad.inbox", () -> properties.options(budget)))
        .observer(Observers.ofInbox(observers.orderedStream().toList()))
        .retryObserver(Observers.ofRetryLine(retryObservers.orderedStream().toList()))
        .tracing(tracing.getIfAvailable(Tracing::none))
        .build();
  }

  @Bean
  @ConditionalOnBean(Inbox.class)
  ConnectionBudget.Part postroadInboxConnections(InboxProperties properties) {
    return ConnectionBudget.Part.inbox(properties.concurrency());
  }

  /** Is injected only by its name; an OutboxAdmin without a name is that of the outbox. */
  @Bean(defaultCandidate = false)
  @ConditionalOnBean(RetryLine.class)
  @ConditionalOnMissingBean(name = "postroadRetryAdmin")
  OutboxAdmin postroadRetryAdmin(RetryLine<?> retries) {
    return retries.admin();
  }

  @Bean
  @ConditionalOnBean(Inbox.class)
  PartLifecycle postroadInboxLifecycle(
      Inbox<?> inbox, ObjectProvider<StartedByHand> startedByHand) {
    return new PartLifecycle(PartLifecycle.INBOX, inbox::start, inbox::stop, startedByHand);
  }
}
