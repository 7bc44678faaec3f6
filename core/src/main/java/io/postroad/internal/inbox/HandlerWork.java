package io.postroad.internal.inbox;

import io.postroad.inbox.HandlerContext;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.outbox.MessageWork;
import io.postroad.outbox.WorkLease;
import io.postroad.outbox.sender.SendOutcome.Again;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs handlers for workers that claim messages straight from an outbox. All handlers of a message
 * share one transaction, so no inbox entries are needed.
 */
public final class HandlerWork<T> implements MessageWork<T> {
  private final Registrations<T> handlers;

  public HandlerWork(Registrations<T> handlers) {
    this.handlers = handlers;
  }

  @Override
  public Set<String> destinations() {
    return handlers.destinations();
  }

  @Override
  public void before(Message message, WorkLease lease) throws Exception {
    for (Registration<T> registration : wanted(message)) {
      if (!registration.inTransaction()) {
        handle(registration, message, null, lease);
      }
    }
  }

  @Override
  public void inside(T transaction, Message message, WorkLease lease) throws Exception {
    for (Registration<T> registration : wanted(message)) {
      if (registration.inTransaction()) {
        handle(registration, message, transaction, lease);
      }
    }
  }

  private List<Registration<T>> wanted(Message message) {
    List<Registration<T>> wanted = handlers.of(message.destination(), message);
    if (wanted.isEmpty()) {
      throw new PermanentFailure(handlers.unwanted(message));
    }
    return wanted;
  }

  private static <T> void handle(
      Registration<T> registration, Message message, @Nullable T transaction, WorkLease lease)
      throws Exception {
    registration
        .handler()
        .handle(
            message,
            new HandlerContext<>(
                registration.name(), message.id().toString(), transaction, lease::progress));
  }

  @Override
  public Again again(Throwable failure) {
    return Failures.again(failure);
  }
}
