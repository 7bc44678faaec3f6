package io.postroad.internal.inbox;

import io.postroad.inbox.InboxSignal;
import io.postroad.inbox.Incoming;
import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxStore.Entered;
import java.util.Map;
import java.util.Optional;

/**
 * Hands messages of the retry line to their handlers. Each has its own entry in the inbox, so that
 * it takes effect once even if the relay sends it twice. It leaves the retry line in the
 * transaction of its handler, so that the next message of its key that does not have to wait comes
 * after it.
 */
public final class RetryDelivery<T> implements Delivery {
  private final Registrations<T> handlers;
  private final Execution<T> execution;
  private final InboxStore<T> store;
  private final InboxEvents events;

  public RetryDelivery(
      Registrations<T> handlers, Execution<T> execution, InboxStore<T> store, InboxEvents events) {
    this.handlers = handlers;
    this.execution = execution;
    this.store = store;
    this.events = events;
  }

  @Override
  public SendOutcome deliver(Message kept) {
    try {
      Incoming incoming = RetryLine.received(kept);
      if (incoming.refusal().isPresent()) {
        return Rejected.forGood(incoming.refusal().get());
      }
      String handler = RetryLine.handler(kept);
      Optional<Registration<T>> registration = handlers.named(handler);
      if (registration.isEmpty()) {
        return Rejected.forNow(
            "no handler has the name '%s' on this node; known handlers: %s"
                .formatted(handler, handlers.listed()));
      }
      handle(kept, incoming, registration.get());
      return new SendOutcome.Accepted(Map.of());
    } catch (Exception | Error failed) {
      return Failures.rejected(failed);
    }
  }

  private void handle(Message kept, Incoming incoming, Registration<T> registration)
      throws Exception {
    Message message = incoming.message();
    InboxEntry entry = new InboxEntry(kept.id().toString(), registration.name(), Optional.empty());
    Entered entered =
        execution.run(
            registration,
            entry,
            incoming.messageId(),
            message,
            transaction -> store.left(transaction, kept.id()),
            transaction -> {});
    InboxSignal.Subject subject =
        new InboxSignal.Subject(
            incoming.messageId(), message.type(), message.destination(), registration.name());
    events.entered(entered, subject);
  }
}
