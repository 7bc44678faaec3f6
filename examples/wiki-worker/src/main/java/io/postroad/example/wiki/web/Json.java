package io.postroad.example.wiki.web;

import io.postroad.example.wiki.domain.RefusedException;
import io.postroad.message.JsonCodec;
import io.postroad.message.JsonCodecException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads and writes the bodies of the API. Thread-safe. */
final class Json {
  private final JsonCodec codec;

  Json(JsonCodec codec) {
    this.codec = codec;
  }

  /** Creates an object with fields in this order: name, value, name, value. */
  static Map<String, Object> object(Object... fields) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      object.put((String) fields[i], fields[i + 1]);
    }
    return object;
  }

  Reply reply(int status, Map<String, ?> object) {
    return Reply.of(status, "application/json", codec.encode(object));
  }

  /**
   * Reads the body of a request, which must be an object with only these fields.
   *
   * @throws RefusedException if it is not
   */
  Body body(Request request, List<String> known) throws IOException {
    Map<String, Object> fields = new TreeMap<>();
    try {
      Map<?, ?> read = codec.decode(request.body("application/json"), Map.class);
      read.forEach((name, value) -> fields.put(String.valueOf(name), value));
    } catch (JsonCodecException other) {
      throw RefusedException.invalid("body", "must be a JSON object");
    }
    for (String field : fields.keySet()) {
      if (!known.contains(field)) {
        throw RefusedException.invalid(field, "is not known; known are " + known);
      }
    }
    return new Body(fields);
  }

  /** A parsed object. */
  record Body(Map<String, Object> fields) {

    String text(String field) {
      if (value(field) instanceof String text) {
        return text;
      }
      throw RefusedException.invalid(field, "must be a text");
    }

    long number(String field) {
      Object value = value(field);
      if (value instanceof Integer || value instanceof Long) {
        return ((Number) value).longValue();
      }
      throw RefusedException.invalid(field, "must be a whole number");
    }

    private Object value(String field) {
      @Nullable Object value = fields.get(field);
      if (value == null) {
        throw RefusedException.invalid(field, "is missing");
      }
      return value;
    }
  }
}
