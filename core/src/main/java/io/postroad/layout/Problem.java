package io.postroad.layout;

/**
 * Why a table cannot be used as it is.
 *
 * @param where the column or field, or the table itself
 * @param what is wrong with it
 * @param remedy what to do
 */
public record Problem(String where, String what, String remedy) {
  @Override
  public String toString() {
    return "%s: %s; %s".formatted(where, what, remedy);
  }
}
