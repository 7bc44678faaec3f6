package io.postroad.store;

/**
 * Something that is wrong with an outbox now.
 *
 * @param code a short name that tools can rely on, for example {@code lag} or {@code
 *     old-transaction}
 * @param what a sentence with figures, and the cause where it is known
 * @param todo the remedy
 */
public record Finding(Severity severity, String code, String what, String todo) {

  /** How bad it is. */
  public enum Severity {
    /** Worth a look; messages still arrive. */
    WARNING,
    /** Messages do not arrive, or will not soon. */
    PROBLEM
  }

  public static Finding warning(String code, String what, String todo) {
    return new Finding(Severity.WARNING, code, what, todo);
  }

  public static Finding problem(String code, String what, String todo) {
    return new Finding(Severity.PROBLEM, code, what, todo);
  }
}
