package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.postroad.admin.OutboxAdmin;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.micronaut.internal.settings.OutboxProperties;
import io.postroad.micronaut.internal.settings.Refused;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The outbox of the application's store. */
@Factory
@Requires(beans = OutboxStore.class)
final class OutboxFactory {

  /** Of Postroad's own: what is stored is not to change with how the application writes JSON. */
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
            Refused.unlessFit("postroad.outbox", properties::options),
            Observers.ofOutbox(observers))
        .tracedBy(tracing.orElseGet(Tracing::none));
  }

  @Singleton
  @Secondary
  OutboxAdmin postroadOutboxAdmin(OutboxStore<?> store) {
    return OutboxAdmin.over(store);
  }
}
