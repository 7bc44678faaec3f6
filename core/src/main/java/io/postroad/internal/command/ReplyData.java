package io.postroad.internal.command;

import io.postroad.command.CommandReply;
import io.postroad.internal.command.handlers.LateResult;
import io.postroad.message.JsonCodec;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the data of a reply from the result of a handler, by way of its JSON; {@link
 * CommandReply.Completed} has the table.
 */
public record ReplyData(JsonCodec codec) {
  private static final String VALUE = "value";

  /** Returns the data; passes on failures of the codec, and refuses futures. */
  public Map<String, Object> of(@Nullable Object result) {
    if (result == null) {
      return Map.of();
    }
    if (result instanceof Optional<?> optional) {
      return optional.isPresent() ? of(optional.get()) : Map.of();
    }
    if (LateResult.is(result.getClass())) {
      throw LateResult.refused("the handler", result.getClass());
    }
    return ofJson(codec.encode(result));
  }

  private Map<String, Object> ofJson(String json) {
    if (json.strip().equals("null")) {
      return Map.of();
    }
    Object value = codec.decode(json, Object.class);
    return value instanceof Map<?, ?> map ? fields(map) : Map.of(VALUE, value);
  }

  @SuppressWarnings("unchecked") // the names of a JSON object are text
  private static Map<String, Object> fields(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }
}
