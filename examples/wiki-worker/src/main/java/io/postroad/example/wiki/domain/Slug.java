package io.postroad.example.wiki.domain;

import java.util.regex.Pattern;

/** Names of pages and media: safe in a URL, in HTML and in front of a colon. */
public final class Slug {
  private static final int MAX_LENGTH = 100;
  private static final Pattern FORM = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  private Slug() {}

  public static boolean is(String text) {
    return text.length() <= MAX_LENGTH && FORM.matcher(text).matches();
  }

  /**
   * The text itself, if it is one.
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
