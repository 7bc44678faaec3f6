package io.postroad.example.rules.application;

/** Thrown when an object does not exist. */
public final class NotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * @param field the field with its id, for example {@code ruleId}
   */
  public NotFoundException(String field, String value) {
    super("%s %s is of nothing that is known".formatted(field, value));
    this.field = field;
  }

  public String getField() {
    return field;
  }
}
