package io.postroad.process.check;

/**
 * Something about a process that is wrong, or may be.
 *
 * @param process the type of the process
 * @param step the node it is about; the type of the process when it is about all of it
 * @param path how the process gets there, {@code BookLimits -> [requiresFx] -> BookFx}: conditions
 *     in brackets, with {@code not} where they are false
 * @param text all of it in a sentence that names process, step and path and says what to do
 */
public record ProcessFinding(
    Severity severity, String process, String step, String path, String text) {

  /** How sure it is. */
  public enum Severity {
    /** Some process will fail: it is not run. */
    ERROR,
    /** A doubt that the code alone cannot settle. */
    WARNING
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  @Override
  public String toString() {
    return severity + " " + text;
  }
}
