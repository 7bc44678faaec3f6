package io.postroad.internal.process.graph;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes JSON text that is the same for the same content, with every JSON library: keys sorted by
 * their UTF-16 characters, no spaces, everything outside of printable ASCII escaped. Takes maps,
 * collections, text, booleans and whole numbers; fractions have more than one form and are refused.
 * Stateless.
 */
final class CanonicalJson {
  private CanonicalJson() {}

  static String of(Object value) {
    StringBuilder json = new StringBuilder();
    write(value, json);
    return json.toString();
  }

  private static void write(Object value, StringBuilder json) {
    if (value instanceof Map<?, ?> map) {
      writeMap(map, json);
    } else if (value instanceof Collection<?> list) {
      writeList(list, json);
    } else if (value instanceof String text) {
      writeText(text, json);
    } else if (value instanceof Boolean || value instanceof Integer || value instanceof Long) {
      json.append(value);
    } else {
      throw new IllegalArgumentException(
          "%s has no canonical form in JSON".formatted(value.getClass().getName()));
    }
  }

  private static void writeMap(Map<?, ?> map, StringBuilder json) {
    Map<String, Object> sorted = new TreeMap<>();
    map.forEach((key, value) -> sorted.put((String) key, value));
    String separator = "";
    json.append('{');
    for (Map.Entry<String, Object> each : sorted.entrySet()) {
      json.append(separator);
      writeText(each.getKey(), json);
      json.append(':');
      write(each.getValue(), json);
      separator = ",";
    }
    json.append('}');
  }

  private static void writeList(Collection<?> list, StringBuilder json) {
    json.append('[');
    for (Iterator<?> each = list.iterator(); each.hasNext(); ) {
      write(each.next(), json);
      json.append(each.hasNext() ? "," : "");
    }
    json.append(']');
  }

  private static void writeText(String text, StringBuilder json) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
