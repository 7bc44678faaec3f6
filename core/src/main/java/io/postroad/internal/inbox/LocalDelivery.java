package io.postroad.internal.inbox;

import io.postroad.inbox.InboxSignal;
import io.postroad.message.Message;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore.Entered;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hands messages of an outbox to the handlers of this process, without a broker. The relay keeps
 * their order and tries again. The inbox has an entry per handler, so that a handler that succeeded
 * does not run again when another handler fails.
 */
public final class LocalDelivery<T> implements Delivery {
  private final Registrations<T> handlers;
  private final Execution<T> execution;
  private final InboxEvents events;

  public LocalDelivery(Registrations<T> handlers, Execution<T> execution, InboxEvents events) {
    this.handlers = handlers;
    this.execution = execution;
    this.events = events;
  }

  @Override
  public SendOutcome deliver(Message message) {
    List<Registration<T>> wanted = handlers.of(message.destination(), message);
    if (wanted.isEmpty()) {
      return Rejected.forGood(handlers.unwanted(message));
    }
    for (Registration<T> registration : wanted) {
      try {
        handle(message, registration);
      } catch (Exception | Error failed) {
        return Failures.rejected(failed);
      }
    }
    return new SendOutcome.Accepted(Map.of());
  }

  private void handle(Message message, Registration<T> registration) throws Exception {
    String id = message.id().toString();
    InboxEntry entry = new InboxEntry(id, registration.name(), Optional.empty());
    Entered entered =
        execution.run(registration, entry, id, message, transaction -> {}, transaction -> {});
    InboxSignal.Subject subject =
        new InboxSignal.Subject(id, message.type(), message.destination(), registration.name());
    events.entered(entered, subject);
  }
}
