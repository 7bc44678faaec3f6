package io.postroad.inbox;

import io.postroad.message.JsonCodec;
import io.postroad.message.Message;

/**
 * A handler of values that come as JSON. A body that is no text in UTF-8, no JSON or does not fit
 * the class is a permanent failure: the message is a dead letter with its bytes as they came.
 *
 * <p>Safe to use from many threads if codec and handler are.
 *
 * @param <T> what a transaction of the database is
 * @param <V> what the body is
 */
public final class JsonHandler<T, V> implements MessageHandler<T> {
  private final JsonCodec codec;
  private final Class<V> type;
  private final ValueHandler<T, V> handler;

  private JsonHandler(JsonCodec codec, Class<V> type, ValueHandler<T, V> handler) {
    this.codec = codec;
    this.type = type;
    this.handler = handler;
  }

  /** A handler of bodies that are a {@code type}. */
  public static <T, V> JsonHandler<T, V> of(
      JsonCodec codec, Class<V> type, ValueHandler<T, V> handler) {
    return new JsonHandler<>(codec, type, handler);
  }

  @Override
  public void handle(Message message, HandlerContext<T> context) throws Exception {
    String json =
        message
            .payload()
            .text()
            .orElseThrow(
                () ->
                    new PermanentFailure(
                        "the body of message %s (%s) is not text in UTF-8, so it is no JSON"
                            .formatted(context.messageId(), message.type())));
    handler.handle(codec.decode(json, type), message, context);
  }

  /** {@link MessageHandler} with the value of the body. */
  @FunctionalInterface
  public interface ValueHandler<T, V> {
    void handle(V value, Message message, HandlerContext<T> context) throws Exception;
  }
}
