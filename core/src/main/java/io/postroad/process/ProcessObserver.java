package io.postroad.process;

/**
 * Receives signals about processes. MUST be safe to use from many threads, and quick: worker
 * threads call it. An exception is logged and changes nothing.
 */
@FunctionalInterface
public interface ProcessObserver {
  void on(ProcessSignal signal);

  /** Returns an observer that does nothing. */
  static ProcessObserver none() {
    return signal -> {};
  }
}
