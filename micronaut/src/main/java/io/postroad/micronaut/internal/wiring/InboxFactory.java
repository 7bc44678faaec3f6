package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.framework.RetryLine;
import io.postroad.framework.RetryLineObserver;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.settings.TransportKind;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.framework.internal.wiring.Transport;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxObserver;
import io.postroad.micronaut.internal.settings.InboxProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.spi.InboxStore;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Makes the inbox of an application with a bean of {@link Handlers}. */
@Factory
@Requires(beans = {Handlers.class, InboxStore.class, RetryStores.class})
@Requires(condition = OnSwitch.Inbox.class)
final class InboxFactory {

  @Singleton
  @Bean(preDestroy = "close")
  <T> RetryLine<T> postroadRetryLine(RetryStores<T> stores, InboxProperties properties) {
    return new RetryLine<>(stores.open(properties.retryPrefix()));
  }

  @Singleton
  ConnectionBudget.Part postroadInboxConnections(InboxProperties properties) {
    return ConnectionBudget.Part.inbox(properties.concurrency());
  }

  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  <T> Inbox<T> postroadInbox(
      InboxStore<T> store,
      Handlers<T> handlers,
      RetryLine<T> retries,
      Transactions<T> transactions,
      InboxProperties properties,
      ConnectionBudget budget,
      List<InboxObserver> observers,
      List<RetryLineObserver> retryObservers,
      Optional<Tracing> tracing) {
    return Inbox.builder(store, handlers)
        .retries(retries.store())
        .transactions(transactions)
        .options(Refusals.unlessFit("postroad.inbox", () -> properties.options(budget)))
        .observer(Observers.ofInbox(observers))
        .retryObserver(Observers.ofRetryLine(retryObservers))
        .tracing(tracing.orElseGet(Tracing::none))
        .build();
  }

  @Singleton
  Part postroadInboxPart(Inbox<?> inbox) {
    return new Part(Part.Phase.INBOX, "inbox", inbox::start, inbox::stop);
  }

  /** Sends to the handlers of the application itself. */
  @Singleton
  Transport postroadLocalTransport(BeanProvider<Inbox<?>> inbox) {
    return new Transport(TransportKind.LOCAL, () -> inbox.get().localSender());
  }
}
