package io.postroad.internal.inbox;

import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxObserver;
import io.postroad.inbox.InboxSignal;
import io.postroad.inbox.InboxSignal.Subject;
import io.postroad.internal.loop.ErrorText;
import io.postroad.spi.InboxStore.Entered;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the events of an inbox to its observer and to the log, with bounded texts. Thread-safe.
 */
public final class InboxEvents {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final int MAX_LOGGED_TYPES = 100;

  private final String inbox;
  private final InboxObserver observer;
  private final int maxErrorLength;
  private final Set<String> ignoredTypes = ConcurrentHashMap.newKeySet();

  public InboxEvents(String inbox, InboxObserver observer, int maxErrorLength) {
    this.inbox = inbox;
    this.observer = observer;
    this.maxErrorLength = maxErrorLength;
  }

  /** Reports the outcome of a message that did not have to wait. */
  void entered(Entered entered, Subject message) {
    if (entered == Entered.DUPLICATE) {
      repeated(message);
    } else {
      handled(message);
    }
  }

  void handled(Subject message) {
    signal(new InboxSignal.Handled(message));
  }

  void repeated(Subject message) {
    LOG.debug("{}: received before, acknowledged again; message={}", inbox, message);
    signal(new InboxSignal.Repeated(message));
  }

  void movedToRetry(Subject message, String reason) {
    String bounded = ErrorText.bounded(reason, maxErrorLength);
    LOG.info("{}: moved to the retry line; message={} reason={}", inbox, message, bounded);
    signal(new InboxSignal.MovedToRetry(message, bounded));
  }

  /**
   * Reports a message without a handler. Logs each type once, and {@code MAX_LOGGED_TYPES} types at
   * most.
   */
  void ignored(Subject message) {
    if (ignoredTypes.size() < MAX_LOGGED_TYPES
        && ignoredTypes.add(message.destination() + "/" + message.type())) {
      LOG.warn(
          "{}: no handler for type '{}' of '{}', such messages are acknowledged and ignored; set"
              + " InboxOptions.unhandled to make them dead letters",
          inbox,
          message.type(),
          message.destination());
    }
    signal(new InboxSignal.Ignored(message));
  }

  public void storeFailed(Throwable failure) {
    signal(
        new InboxSignal.StoreFailed(
            inbox, ErrorText.bounded(ErrorText.of(failure), maxErrorLength)));
  }

  void forgotten(int entries) {
    signal(new InboxSignal.Forgotten(inbox, entries));
  }

  private void signal(InboxSignal signal) {
    try {
      observer.on(signal);
    } catch (RuntimeException | Error failed) {
      LOG.warn(
          "observer failed, the inbox continues; observer={} signal={}",
          observer.getClass().getName(),
          signal.getClass().getSimpleName(),
          failed);
    }
  }
}
