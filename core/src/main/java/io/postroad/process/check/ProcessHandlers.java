package io.postroad.process.check;

import java.util.Optional;
import java.util.Set;

/**
 * What is known of those who handle the commands of a process. Implementations are safe to use from
 * many threads and answer the same to the same question.
 */
public interface ProcessHandlers {

  /** Whether somebody handles this type of command, here or elsewhere. */
  boolean hasHandler(String command);

  /**
   * The keys that a reply to this command always has: the components of a record, none for {@code
   * void}. Empty when that cannot be known, for example because the handler returns a map.
   */
  Optional<Set<String>> resultKeys(String command);
}
