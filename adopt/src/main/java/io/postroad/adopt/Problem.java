package io.postroad.adopt;

/**
 * Reason why a table cannot be used as it is.
 *
 * @param where the column or field, or the table itself
 * @param what the problem with it
 * @param remedy advice to the owner of the table
 */
public record Problem(String where, String what, String remedy) {
  @Override
  public String toString() {
    return "%s: %s; %s".formatted(where, what, remedy);
  }
}
