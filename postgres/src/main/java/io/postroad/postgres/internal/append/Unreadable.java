package io.postroad.postgres.internal.append;

/**
 * A row that was edited into an invalid message.
 *
 * @param place its place in the log
 */
public record Unreadable(long place, String error) {

  public static String error(IllegalArgumentException wrong) {
    return error("message", wrong);
  }

  public static String error(String kind, IllegalArgumentException wrong) {
    String why = String.valueOf(wrong.getMessage());
    return "the row cannot be read as a %s: %s"
        .formatted(kind, why.substring(0, Math.min(512, why.length())));
  }
}
