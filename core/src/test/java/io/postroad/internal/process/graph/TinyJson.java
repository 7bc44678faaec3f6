package io.postroad.internal.process.graph;

import io.postroad.message.JsonCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Enough JSON for tests of core, which has no JSON library: objects, arrays, text, whole numbers,
 * booleans. Reads into maps only.
 */
public final class TinyJson implements JsonCodec {
  @Override
  public String encode(Object value) {
    return CanonicalJson.of(value);
  }

  @Override
  public <T> T decode(String json, Class<T> type) {
    Reader reader = new Reader(json);
    Object value = reader.value();
    reader.expectEnd();
    return type.cast(value);
  }

  private static final class Reader {
    private final String json;
    private int at;

    Reader(String json) {
      this.json = json;
    }

    Object value() {
      char c = json.charAt(at);
      if (c == '{') {
        return object();
      }
      if (c == '[') {
        return array();
      }
      if (c == '"') {
        return text();
      }
      return word();
    }

    private Map<String, Object> object() {
      Map<String, Object> map = new LinkedHashMap<>();
      skip('{');
      while (json.charAt(at) != '}') {
        String key = text();
        skip(':');
        map.put(key, value());
        skipComma();
      }
      skip('}');
      return map;
    }

    private List<Object> array() {
      List<Object> list = new ArrayList<>();
      skip('[');
      while (json.charAt(at) != ']') {
        list.add(value());
        skipComma();
      }
      skip(']');
      return list;
    }

    private String text() {
      StringBuilder text = new StringBuilder();
      skip('"');
      while (json.charAt(at) != '"') {
        text.append(character());
      }
      skip('"');
      return text.toString();
    }

    private char character() {
      char c = json.charAt(at++);
      if (c != '\\') {
        return c;
      }
      char escaped = json.charAt(at++);
      if (escaped != 'u') {
        return escaped;
      }
      at += 4;
      return (char) Integer.parseInt(json.substring(at - 4, at), 16);
    }

    private Object word() {
      int begin = at;
      while (at < json.length() && ",]}".indexOf(json.charAt(at)) < 0) {
        at++;
      }
      String word = json.substring(begin, at);
      return word.equals("true") || word.equals("false")
          ? (Object) Boolean.valueOf(word)
          : Long.valueOf(word);
    }

    private void skip(char expected) {
      if (json.charAt(at++) != expected) {
        throw new IllegalArgumentException("expected " + expected + " before " + at);
      }
    }

    private void skipComma() {
      if (json.charAt(at) == ',') {
        at++;
      }
    }

    void expectEnd() {
      if (at != json.length()) {
        throw new IllegalArgumentException("more text at " + at);
      }
    }
  }
}
