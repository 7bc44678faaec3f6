package io.postroad.process;

/**
 * Hears what happens to processes. MUST be safe to use from many threads, and quick: it is called
 * on the threads that do the work. One that throws is logged and changes nothing.
 */
@FunctionalInterface
public interface ProcessObserver {
  void on(ProcessSignal signal);

  /** One that does not listen. */
  static ProcessObserver none() {
    return signal -> {};
  }
}
