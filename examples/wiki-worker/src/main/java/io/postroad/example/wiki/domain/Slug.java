package io.postroad.example.wiki.domain;

import java.util.regex.Pattern;

/** Checks names of pages and media, which are safe in a URL, in HTML and before a colon. */
public final class Slug {
  private static final int MAX_LENGTH = 100;
  private static final Pattern FORM = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private Slug() {}

  public static boolean is(String text) {
    return text.length() <= MAX_LENGTH && FORM.matcher(text).matches();
  }

  /**
   * Returns the name, or refuses it.
   *
   * @throws RefusedException naming the field
   */
  public static String require(String field, String text) {
    if (!is(text)) {
      throw RefusedException.invalid(
          field,
          "must be lower-case letters, digits and single hyphens between them, at most %d characters"
              .formatted(MAX_LENGTH));
    }
    return text;
  }
}
