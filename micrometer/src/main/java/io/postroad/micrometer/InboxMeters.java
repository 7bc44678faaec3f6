package io.postroad.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.postroad.inbox.InboxObserver;
import io.postroad.inbox.InboxSignal;
import io.postroad.inbox.InboxSignal.Subject;
import java.util.Set;

/**
 * The meters of an inbox. Pass it to {@code Inbox.builder(..).observer(..)}. Its retry line is an
 * outbox, and has {@link OutboxMeters} and {@link OutboxGauges} of its own.
 *
 * <p>Safe to use from many threads. A crash loses the values of its counters.
 */
public final class InboxMeters implements InboxObserver {
  private final MeterBook book;
  private final Listening<InboxSignal> listening = new Listening<>();

  private InboxMeters(MeterBook book) {
    this.book = book;
    book.introduce("inbox");
    listening
        .on(InboxSignal.Handled.class, signal -> count(signal.message(), "handled"))
        .on(InboxSignal.Repeated.class, signal -> count(signal.message(), "repeated"))
        .on(InboxSignal.MovedToRetry.class, signal -> count(signal.message(), "retry"))
        .on(InboxSignal.Ignored.class, signal -> count(signal.message(), "ignored"))
        .on(InboxSignal.StoreFailed.class, signal -> book.count(PostroadMeter.INBOX_STORE_FAILURES))
        .on(
            InboxSignal.Forgotten.class,
            signal -> book.add(PostroadMeter.INBOX_FORGOTTEN, signal.entries()));
  }

  public static InboxMeters of(MeterRegistry registry) {
    return new InboxMeters(new MeterBook(registry));
  }

  @Override
  public void on(InboxSignal signal) {
    listening.tell(signal);
  }

  Set<Class<?>> kinds() {
    return listening.kinds();
  }

  private void count(Subject message, String outcome) {
    book.count(
        PostroadMeter.INBOX_MESSAGES,
        message.destination(),
        message.type(),
        message.handler(),
        outcome);
  }
}
