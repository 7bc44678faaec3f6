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
 * Messages of an outbox whose destination is handled here, without a broker. The relay keeps their
 * order and tries again; the inbox has an entry for each handler, so that one that succeeded does
 * not run again when another fails.
 */
public final class LocalDelivery<T> implements Delivery {
  private final Registrations<T> handlers;
  private final Execution<T> execution;
  private final News news;

  public LocalDelivery(Registrations<T> handlers, Execution<T> execution, News news) {
    this.handlers = handlers;
    this.execution = execution;
    this.news = news;
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
    news.entered(entered, subject);
  }
}
