package io.postroad.internal.inbox;

import io.postroad.message.Message;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the handlers of a message. Immutable and thread-safe.
 *
 * @param byName sorted by name
 */
public record Registrations<T>(Map<String, Registration<T>> byName) {

  /** Returns the destinations that have a handler. */
  public Set<String> destinations() {
    Set<String> destinations = new TreeSet<>();
    byName.values().forEach(registration -> destinations.add(registration.destination()));
    return destinations;
  }

  /** Returns the handlers that want a message of this destination, in the order of their names. */
  List<Registration<T>> of(String destination, Message message) {
    return byName.values().stream()
        .filter(registration -> registration.wants(destination, message))
        .toList();
  }

  Optional<Registration<T>> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Explains that a message has no handler. */
  String unwanted(Message message) {
    return "no handler wants type '%s' of '%s'; there are: %s"
        .formatted(message.type(), message.destination(), listed());
  }

  /** Lists all handlers, for the text of an error. */
  String listed() {
    return byName.isEmpty() ? "none" : byName.values().toString();
  }
}
