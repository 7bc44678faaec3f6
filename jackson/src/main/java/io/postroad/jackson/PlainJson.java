package io.postroad.jackson;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes small maps of maps, lists, plain text and whole numbers, as each step of a process does
 * several times, in a tenth of the mapper's steps and to the same text. Whatever holds anything
 * else is left to the mapper, as a whole.
 */
final class PlainJson {
  private static final int LONG = 32 * 1024;
  private static final int DEEP = 16;

  private final StringBuilder json = new StringBuilder(512);

  private PlainJson() {}

  /** The JSON text, if it is one of these. */
  static Optional<String> of(Object value) {
    PlainJson writer = new PlainJson();
    return value instanceof Map<?, ?> map && writer.write(map, DEEP)
        ? Optional.of(writer.json.toString())
        : Optional.empty();
  }

  /** Whether it was written; where not, what was written so far is of no use. */
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

  /** A class of others may have a form of its own. */
  private boolean isReadable(Object container, int depth) {
    return depth > 0 && json.length() <= LONG && container.getClass().getClassLoader() == null;
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

  /** Text without anything to escape. */
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
