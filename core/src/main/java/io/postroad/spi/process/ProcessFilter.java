package io.postroad.spi.process;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Selects processes. Immutable; an empty component selects all.
 *
 * @param type the type of the process
 * @param businessKey the exact business key
 * @param statuses one of these statuses; empty for any
 * @param definition the hash of the definition
 * @param updatedBefore selects processes that have not changed since
 * @param after selects higher ids than this one, for the next page
 */
public record ProcessFilter(
    Optional<String> type,
    Optional<String> businessKey,
    Set<String> statuses,
    Optional<String> definition,
    Optional<Instant> updatedBefore,
    Optional<UUID> after) {
  public ProcessFilter {
    statuses = Set.copyOf(statuses);
  }

  /** Selects all processes. */
  public static ProcessFilter all() {
    return new ProcessFilter(
        Optional.empty(),
        Optional.empty(),
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public ProcessFilter withType(String wanted) {
    return new ProcessFilter(
        Optional.of(wanted), businessKey, statuses, definition, updatedBefore, after);
  }

  public ProcessFilter withBusinessKey(String wanted) {
    return new ProcessFilter(type, Optional.of(wanted), statuses, definition, updatedBefore, after);
  }

  public ProcessFilter withStatuses(Set<String> wanted) {
    return new ProcessFilter(type, businessKey, wanted, definition, updatedBefore, after);
  }

  public ProcessFilter withDefinition(String wanted) {
    return new ProcessFilter(
        type, businessKey, statuses, Optional.of(wanted), updatedBefore, after);
  }

  public ProcessFilter withUpdatedBefore(Instant time) {
    return new ProcessFilter(type, businessKey, statuses, definition, Optional.of(time), after);
  }

  public ProcessFilter withAfter(UUID id) {
    return new ProcessFilter(
        type, businessKey, statuses, definition, updatedBefore, Optional.of(id));
  }
}
