package io.postroad.micrometer;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Maps each kind of signal to an action. Kinds without an action are named, too, so that a test
 * finds a kind that was forgotten. Built once, then safe to use from many threads.
 */
final class Listening<S> {
  private final Map<Class<?>, Consumer<S>> listeners = new HashMap<>();

  <K extends S> Listening<S> on(Class<K> kind, Consumer<K> listener) {
    listeners.put(kind, signal -> listener.accept(kind.cast(signal)));
    return this;
  }

  /** Names a kind that no meter counts, or that another meter counts. */
  Listening<S> ignoring(Class<? extends S> kind) {
    listeners.put(kind, signal -> {});
    return this;
  }

  void tell(S signal) {
    listeners.getOrDefault(signal.getClass(), unknown -> {}).accept(signal);
  }

  Set<Class<?>> kinds() {
    return listeners.keySet();
  }
}
