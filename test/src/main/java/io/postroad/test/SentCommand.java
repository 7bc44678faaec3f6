package io.postroad.test;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A command that a process has sent, as a {@link ProcessFixture} saw it. Immutable.
 *
 * @param id of the command
 * @param step the step that it does or undoes
 * @param type the command's type, for example {@code BookLimits}
 * @param isUndo whether it undoes the step
 * @param attempt which one of its step or undo, 1 for the first
 * @param payload as JSON has it
 * @param notBefore a retry is not begun before
 */
public record SentCommand(
    UUID id,
    String step,
    String type,
    boolean isUndo,
    int attempt,
    Map<String, Object> payload,
    Optional<Instant> notBefore) {
  public SentCommand {
    payload = Collections.unmodifiableMap(new LinkedHashMap<>(payload));
  }

  /** For people: the type and what else tells it from others. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(type);
    if (isUndo) {
      text.append(" (undoes ").append(step).append(')');
    } else if (!step.equals(type)) {
      text.append(" (step ").append(step).append(')');
    }
    if (attempt > 1) {
      text.append(" (attempt ").append(attempt).append(')');
    }
    notBefore.ifPresent(time -> text.append(" (not before ").append(time).append(')'));
    return text.append(' ').append(payload).toString();
  }
}
