package io.postroad.process.check;

import java.util.Optional;
import java.util.Set;

/**
 * Tells which commands have handlers, and what those return. Implementations are safe to use from
 * many threads and always give the same answers.
 */
public interface ProcessHandlers {

  /** Returns whether this service or another one handles this type of command. */
  boolean hasHandler(String command);

  /**
   * Returns the keys that a reply to this command always has: the components of a record, none for
   * {@code void}. Empty when they are not known, for example because the handler returns a map.
   */
  Optional<Set<String>> resultKeys(String command);
}
