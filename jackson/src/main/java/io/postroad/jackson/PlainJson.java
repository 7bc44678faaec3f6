package io.postroad.jackson;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes small maps of maps, lists, plain text and whole numbers without the mapper, in a tenth of
 * its steps and to the same text. Each step of a process writes several of them. Values that
 * contain anything else are left to the mapper completely.
 */
final class PlainJson {
  private static final int MAX_LENGTH = 32 * 1024;
  private static final int MAX_DEPTH = 16;

  private final StringBuilder json = new StringBuilder(512);

  private PlainJson() {}

  /** Returns the JSON text of a plain map; empty for other values. */
  static Optional<String> of(Object value) {
    PlainJson writer = new PlainJson();
    return value instanceof Map<?, ?> map && writer.write(map, MAX_DEPTH)
        ? Optional.of(writer.json.toString())
        : Optional.empty();
  }

  /** Returns whether the value was written; if not, the text so far is discarded. */
  private boolean write(@Nullable Object value, int depth) {
    if (value instanceof String text) {
      return write(text);
    }
    if (value instanceof Map<?, ?> map) {
      return isReadable(map, depth) && write(map, depth - 1);
    }
    if (value instanceof Collection<?> list) {
      return isReadable(list, depth) && write(list, depth - 1);
    }
    json.append(value);
    return value == null
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Boolean;
  }

  /** Returns whether a container is of the JDK; other classes may have their own JSON form. */
  private boolean isReadable(Object container, int depth) {
    return depth > 0
        && json.length() <= MAX_LENGTH
        && container.getClass().getClassLoader() == null;
  }

  private boolean write(Map<?, ?> map, int depth) {
    json.append('{');
    boolean isFirst = true;
    for (Map.Entry<?, ?> each : map.entrySet()) {
      if (!isFirst) {
        json.append(',');
      }
      isFirst = false;
      if (!(each.getKey() instanceof String name) || !write(name)) {
        return false;
      }
      json.append(':');
      if (!write(each.getValue(), depth)) {
        return false;
      }
    }
    json.append('}');
    return true;
  }

  private boolean write(Collection<?> list, int depth) {
    json.append('[');
    boolean isFirst = true;
    for (Object each : list) {
      if (!isFirst) {
        json.append(',');
      }
      isFirst = false;
      if (!write(each, depth)) {
        return false;
      }
    }
    json.append(']');
    return true;
  }

  /** Writes text that needs no escapes. */
  private boolean write(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    json.append('"').append(text).append('"');
    return true;
  }
}
