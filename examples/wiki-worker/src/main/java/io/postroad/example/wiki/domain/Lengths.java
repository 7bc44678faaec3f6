package io.postroad.example.wiki.domain;

/** Limits of user input. */
public final class Lengths {
  public static final int TITLE = 200;
  public static final int AUTHOR = 100;
  public static final int TEXT = 100_000;
  public static final int FILE_NAME = 200;

  private Lengths() {}

  /**
   * Returns the text, or refuses it if it is blank or too long.
   *
   * @throws RefusedException naming the field
   */
  static String require(String field, String text, int max) {
    if (text.isBlank()) {
      throw RefusedException.invalid(field, "must not be empty");
    }
    if (text.length() > max) {
      throw RefusedException.invalid(
          field, "must have at most %d characters, has %d".formatted(max, text.length()));
    }
    return text;
  }
}
