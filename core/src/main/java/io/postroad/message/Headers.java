package io.postroad.message;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Checks header names and values. */
final class Headers {
  static final int MAX_COUNT = 64;
  static final int MAX_NAME = 128;
  static final int MAX_VALUE = 4096;

  /** Headers that Postroad sets from the message. It would overwrite a user's value on the wire. */
  private static final Set<String> RESERVED =
      Set.of(WireHeaders.EVENT_ID, WireHeaders.EVENT_TYPE, WireHeaders.CONTENT_TYPE);

  /**
   * Headers that Postroad adds to messages that it stores again or copies. They do not count
   * towards {@link #MAX_COUNT}.
   */
  private static final Set<String> NOT_COUNTED =
      Set.of(
          "replaces",
          WireHeaders.RETRY_OF,
          WireHeaders.RETRY_FROM,
          WireHeaders.RETRY_HANDLER,
          WireHeaders.REFUSED,
          "dead-letter-error",
          "dead-letter-destination",
          "dead-letter-attempts",
          "dead-letter-died-at");

  private Headers() {}

  static Map<String, String> checked(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return Map.of();
    }
    if (headers.size() > MAX_COUNT) {
      long count = headers.keySet().stream().filter(name -> !NOT_COUNTED.contains(name)).count();
      if (count > MAX_COUNT) {
        throw new IllegalArgumentException(
            "a message may have " + MAX_COUNT + " headers at most, got " + count);
      }
    }
    Map<String, String> sorted = new TreeMap<>();
    headers.forEach((name, value) -> sorted.put(checkedName(name), checkedValue(name, value)));
    return Collections.unmodifiableMap(sorted);
  }

  private static String checkedName(String name) {
    Text.required(name, "header name", "for example tenant-region", MAX_NAME);
    if (!hasAllowedCharacters(name)) {
      throw new IllegalArgumentException(
          "header name '%s' may have letters, digits, '-', '_' and '.' only".formatted(name));
    }
    if (isReserved(name) && !NOT_COUNTED.contains(name)) {
      throw new IllegalArgumentException(
          "header '%s' is reserved: Postroad sets it from the message; use another name"
              .formatted(name));
    }
    return name;
  }

  static boolean isName(String name) {
    return !name.isBlank() && name.length() <= MAX_NAME && hasAllowedCharacters(name);
  }

  static boolean isReserved(String name) {
    return RESERVED.contains(name) || name.startsWith(WireHeaders.OWN_PREFIX);
  }

  private static boolean hasAllowedCharacters(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean allowed =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_'
              || c == '.';
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  private static String checkedValue(String name, String value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "header '" + name + "' must not be null; leave it out instead");
    }
    return Text.storable(value, "header '" + name + "'", MAX_VALUE);
  }
}
