package io.postroad.example.wiki.domain;

/** What somebody asked for is not done: by which field it shows, and why. Nothing was changed. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of refusal it is. */
  public enum Kind {
    /** It can never be done. */
    INVALID,
    /** What it is about is not there. */
    NOT_FOUND,
    /** Somebody else was first, or it is not the time for it. */
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
