package io.postroad.spi.process;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Which processes. Immutable; what is empty does not matter.
 *
 * @param type of the process
 * @param businessKey exactly this one
 * @param statuses one of these; empty for any
 * @param definition running on this one
 * @param updatedBefore nothing happened to it since
 * @param after those with a higher id than this one, for the next page
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

  /** All of them. */
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
