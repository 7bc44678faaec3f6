package io.postroad.spi;

import java.util.Map;
import java.util.TreeMap;

/**
 * Headers as one text, a line {@code name: value} each: readable in the database, and no JSON
 * parser needed to get them back. Message headers have no line breaks and no colon in a name.
 */
public final class HeaderBlock {
  private HeaderBlock() {}

  /** The headers as text; empty for none. */
  public static String encode(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return "";
    }
    StringBuilder block = new StringBuilder();
    headers.forEach((name, value) -> block.append(name).append(": ").append(value).append('\n'));
    return block.toString();
  }

  /** The headers of a text that {@link #encode} made. */
  public static Map<String, String> decode(String block) {
    if (block.isEmpty()) {
      return Map.of();
    }
    Map<String, String> headers = new TreeMap<>();
    for (int start = 0; start < block.length(); ) {
      int end = block.indexOf('\n', start);
      int colon = block.indexOf(": ", start);
      if (end < 0 || colon < 0 || colon > end) {
        throw new IllegalArgumentException(
            "headers must be lines of 'name: value', got something else at index " + start);
      }
      headers.put(block.substring(start, colon), block.substring(colon + 2, end));
      start = end + 1;
    }
    return headers;
  }
}
