package io.postroad.process.check;

/**
 * An error or warning about a process definition.
 *
 * @param process the type of the process
 * @param step the node; the type of the process for a finding about the whole process
 * @param path the way to the node, {@code BookLimits -> [requiresFx] -> BookFx}: conditions in
 *     brackets, with {@code not} where they are false
 * @param text a sentence with process, step, path and advice
 */
public record ProcessFinding(
    Severity severity, String process, String step, String path, String text) {

  /** The severity of a finding. */
  public enum Severity {
    /** A process would fail, so the definition is refused. */
    ERROR,
    /** A doubt that the check cannot decide. */
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
