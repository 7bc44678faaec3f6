package io.postroad.command;

/**
 * Observes events of commands, on the thread of the event. MUST be safe to use from many threads
 * and SHOULD return soon. An exception is logged and changes nothing.
 */
@FunctionalInterface
public interface CommandObserver {

  void on(CommandSignal signal);

  /** Returns an observer that does nothing. */
  static CommandObserver none() {
    return signal -> {};
  }
}
