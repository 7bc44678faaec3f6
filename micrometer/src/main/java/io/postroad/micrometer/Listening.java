package io.postroad.micrometer;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What is done for each kind of signal. Kinds that nobody listens to are named, so that a test can
 * tell one that was left out from one that was forgotten. Built once, then safe to use from many
 * threads.
 */
final class Listening<S> {
  private final Map<Class<?>, Consumer<S>> listeners = new HashMap<>();

  <K extends S> Listening<S> on(Class<K> kind, Consumer<K> listener) {
    listeners.put(kind, signal -> listener.accept(kind.cast(signal)));
    return this;
  }

  /** What this kind says is said by another meter, or by none. */
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
