package io.postroad.inbox;

/**
 * Hears what happens in an inbox, on the thread on which it happened. MUST be safe to use from many
 * threads and SHOULD return soon. One that throws is logged and changes nothing.
 */
@FunctionalInterface
public interface InboxObserver {

  void on(InboxSignal signal);

  /** One that does not listen. */
  static InboxObserver none() {
    return signal -> {};
  }
}
