package io.postroad.example.wiki.domain;

/** Thrown for a refused request, with the field and the reason. Nothing was changed. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of refusal. */
  public enum Kind {
    /** The request is invalid. */
    INVALID,
    /** The object does not exist. */
    NOT_FOUND,
    /** Another request was first, or the state does not allow it. */
    CONFLICT
  }

  private final Kind kind;
  private final String field;
  private final String reason;

  private RefusedException(Kind kind, String field, String reason) {
    super(field + " " + reason);
    this.kind = kind;
    this.field = field;
    this.reason = reason;
  }

  public static RefusedException invalid(String field, String reason) {
    return new RefusedException(Kind.INVALID, field, reason);
  }

  public static RefusedException notFound(String field, String reason) {
    return new RefusedException(Kind.NOT_FOUND, field, reason);
  }

  public static RefusedException conflict(String field, String reason) {
    return new RefusedException(Kind.CONFLICT, field, reason);
  }

  public Kind kind() {
    return kind;
  }

  public String field() {
    return field;
  }

  public String reason() {
    return reason;
  }
}
