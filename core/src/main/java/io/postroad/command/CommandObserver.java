package io.postroad.command;

/**
 * Hears what happens to commands, on the thread on which it happened. MUST be safe to use from many
 * threads and SHOULD return soon. One that throws is logged and changes nothing.
 */
@FunctionalInterface
public interface CommandObserver {

  void on(CommandSignal signal);

  /** One that does not listen. */
  static CommandObserver none() {
    return signal -> {};
  }
}
