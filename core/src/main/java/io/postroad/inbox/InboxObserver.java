package io.postroad.inbox;

/**
 * Receives the signals of an inbox, on the thread that caused them. An implementation MUST be
 * thread-safe and SHOULD return quickly. Its exceptions are logged and change nothing else.
 */
@FunctionalInterface
public interface InboxObserver {

  void on(InboxSignal signal);

  /** Returns an observer that does nothing. */
  static InboxObserver none() {
    return signal -> {};
  }
}
