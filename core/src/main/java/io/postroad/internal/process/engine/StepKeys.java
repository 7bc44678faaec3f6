package io.postroad.internal.process.engine;

import java.util.UUID;

/** Builds the idempotency keys of commands. The step key is the same for all attempts. */
final class StepKeys {
  private StepKeys() {}

  static String step(UUID process, String step) {
    return process + ":" + step;
  }

  static String attempt(UUID process, String step, int attempt) {
    return attempt == 1 ? step(process, step) : step(process, step) + ":" + attempt;
  }

  static String undo(UUID process, String step, int attempt) {
    String first = step(process, step) + ":undo";
    return attempt == 1 ? first : first + ":" + attempt;
  }
}
