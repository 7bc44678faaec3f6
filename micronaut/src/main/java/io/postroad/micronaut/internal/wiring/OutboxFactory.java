package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.admin.OutboxAdmin;
import io.postroad.framework.internal.settings.Refusals;
import io.postroad.framework.internal.wiring.Observers;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.micronaut.internal.settings.OutboxProperties;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Makes the outbox over the application's store. */
@Factory
@Requires(beans = OutboxStore.class)
final class OutboxFactory {

  /** Does not use the application's mapper, so that its settings do not change stored JSON. */
  @Singleton
  @Secondary
  JsonCodec postroadJsonCodec() {
    return JacksonJsonCodec.create();
  }

  @Singleton
  @Secondary
  <T> Outbox<T> postroadOutbox(
      OutboxStore<T> store,
      Transactions<T> transactions,
      OutboxProperties properties,
      List<OutboxObserver> observers,
      Optional<Tracing> tracing) {
    return Outbox.over(
            store,
            transactions,
            Refusals.unlessFit("postroad.outbox", properties::options),
            Observers.ofOutbox(observers))
        .tracedBy(tracing.orElseGet(Tracing::none));
  }

  @Singleton
  @Secondary
  OutboxAdmin postroadOutboxAdmin(OutboxStore<?> store) {
    return OutboxAdmin.over(store);
  }
}
