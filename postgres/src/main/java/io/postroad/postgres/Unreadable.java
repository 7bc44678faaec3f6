package io.postroad.postgres;

/**
 * A row that someone has edited into something that is no message.
 *
 * @param place its place in the log
 */
record Unreadable(long place, String error) {

  static String error(IllegalArgumentException wrong) {
    return error("message", wrong);
  }

  static String error(String kind, IllegalArgumentException wrong) {
    String why = String.valueOf(wrong.getMessage());
    return "the row cannot be read as a %s: %s"
        .formatted(kind, why.substring(0, Math.min(512, why.length())));
  }
}
