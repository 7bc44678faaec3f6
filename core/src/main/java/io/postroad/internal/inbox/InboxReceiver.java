package io.postroad.internal.inbox;

import io.postroad.inbox.InboxOptions;
import io.postroad.inbox.InboxSignal.Subject;
import io.postroad.inbox.Incoming;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.Message;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxStore.Entered;
import io.postroad.spi.OrderedStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * RECEIVE: handles a message of a broker with each handler that wants it, or moves it to the retry
 * line.
 *
 * <pre>
 * enter --NEW--> handle --> commit                      HANDLED
 *   |              |--throws--> rolled back, then in a second transaction
 *   |--BEHIND-----------------> enter, wait, append to the retry line      MOVED
 *   |--DUPLICATE                                        REPEATED
 * </pre>
 *
 * <p>Thread-safe; callers pass the messages of one key one after the other. A crash leaves the
 * message handled, moved, or as if it had never been received. The receiver acknowledges only after
 * this call, so the broker delivers an unfinished message again.
 */
public final class InboxReceiver<T> {
  /** The handler name of refused messages that no handler wants. */
  static final String UNREADABLE = "unreadable";

  /**
   * Messages of a retry line have no deduplication keys of their own: the inbox entries deduplicate
   * them.
   */
  private static final Duration NO_KEYS = Duration.ofDays(1);

  private final Registrations<T> handlers;
  private final Execution<T> execution;
  private final InboxStore<T> store;
  private final OrderedStore<T> retries;
  private final InboxOptions.Unhandled unhandled;
  private final InboxEvents events;

  public InboxReceiver(
      Registrations<T> handlers,
      Execution<T> execution,
      InboxStore<T> store,
      OrderedStore<T> retries,
      InboxOptions.Unhandled unhandled,
      InboxEvents events) {
    this.handlers = handlers;
    this.execution = execution;
    this.store = store;
    this.retries = retries;
    this.unhandled = unhandled;
    this.events = events;
  }

  /**
   * Handles a message with all its handlers. Throws if the database fails; the caller may repeat
   * the call.
   */
  public void receive(Incoming incoming) {
    Message message = incoming.message();
    List<Registration<T>> wanted = handlers.of(message.destination(), message);
    if (incoming.refusal().isPresent()) {
      String reason = incoming.refusal().get();
      if (wanted.isEmpty()) {
        move(incoming, unreadable(incoming), reason);
      }
      wanted.forEach(registration -> move(incoming, entry(incoming, registration), reason));
    } else if (!wanted.isEmpty()) {
      handleAll(incoming, wanted);
    } else if (unhandled == InboxOptions.Unhandled.IGNORE) {
      events.ignored(subject(incoming, ""));
    } else {
      String reason = handlers.unwanted(message);
      Incoming refused = new Incoming(incoming.messageId(), message, Optional.of(reason));
      move(refused, unreadable(incoming), reason);
    }
  }

  /**
   * Runs all handlers before a failed message moves to the retry line. So the handlers of one
   * message do not wait for each other; only later messages of the key wait.
   */
  private void handleAll(Incoming incoming, List<Registration<T>> wanted) {
    Map<InboxEntry, Throwable> failures = new LinkedHashMap<>();
    for (Registration<T> registration : wanted) {
      handle(incoming, registration, failures);
    }
    failures.forEach((entry, failure) -> move(incoming, entry, ErrorText.of(failure)));
  }

  private void handle(
      Incoming incoming, Registration<T> registration, Map<InboxEntry, Throwable> failures) {
    InboxEntry entry = entry(incoming, registration);
    Subject subject = subject(incoming, registration.name());
    Entered entered;
    try {
      entered =
          execution.run(
              registration,
              entry,
              incoming.messageId(),
              incoming.message(),
              transaction -> {},
              transaction -> append(transaction, incoming, entry));
    } catch (Exception | Error failed) {
      failures.put(entry, failed);
      return;
    }
    switch (entered) {
      case NEW -> events.handled(subject);
      case BEHIND -> moved(subject, "an earlier message of its key waits");
      case DUPLICATE -> events.repeated(subject);
    }
  }

  private void move(Incoming incoming, InboxEntry entry, String reason) {
    if (execution.enter(entry, transaction -> append(transaction, incoming, entry))) {
      moved(subject(incoming, entry.handler()), reason);
    } else {
      events.repeated(subject(incoming, entry.handler()));
    }
  }

  private void append(T transaction, Incoming incoming, InboxEntry entry) {
    Message kept = RetryLine.of(incoming, entry);
    if (entry.key().isPresent()) {
      store.waits(transaction, entry, kept.id());
    }
    var unused = retries.append(transaction, List.of(kept), NO_KEYS);
  }

  private void moved(Subject subject, String reason) {
    retries.wakeUps().signal();
    events.movedToRetry(subject, reason);
  }

  private static InboxEntry entry(Incoming incoming, Registration<?> registration) {
    return new InboxEntry(
        incoming.messageId(), registration.name(), registration.order(), incoming.message().key());
  }

  private static InboxEntry unreadable(Incoming incoming) {
    return new InboxEntry(incoming.messageId(), UNREADABLE, incoming.message().key());
  }

  private static Subject subject(Incoming incoming, String handler) {
    Message message = incoming.message();
    return new Subject(incoming.messageId(), message.type(), message.destination(), handler);
  }
}
