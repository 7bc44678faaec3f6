package io.postroad.spi;

import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import java.util.List;

/**
 * Pauses and resumes destinations for every node.
 *
 * <p>Safe to use from many threads and nodes, beside relays. {@link #pause} and {@link #resume} are
 * one transaction each, with their {@link AuditEntry} of the same name and the destination as its
 * subject, and durable when they return. Of several callers at once, one gets true.
 */
public interface PauseStore {

  /** The greatest length of the name of a destination. */
  int MAX_DESTINATION = 255;

  /**
   * Pauses a destination, which need not be known.
   *
   * @return false when it was paused already, and nothing was changed
   */
  boolean pause(String destination, Decision decision);

  /**
   * Ends the pause of a destination.
   *
   * @return false when it was not paused, and nothing was changed
   */
  boolean resume(String destination, Decision decision);

  /** Lists the paused destinations in the order of their names. */
  List<Pause> list();

  /** Throws for a name that cannot be a destination. */
  static void checkDestination(String destination) {
    if (destination.isBlank() || destination.length() > MAX_DESTINATION) {
      throw new IllegalArgumentException(
          "a destination must have 1 to %d characters, got %s; nothing was changed"
              .formatted(
                  MAX_DESTINATION,
                  destination.isBlank() ? "none" : Integer.toString(destination.length())));
    }
  }
}
