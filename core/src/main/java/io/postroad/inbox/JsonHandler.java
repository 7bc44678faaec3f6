package io.postroad.inbox;

import io.postroad.message.JsonCodec;
import io.postroad.message.Message;

/**
 * Handles messages with a JSON value as the body. A body that is not UTF-8 text, not JSON or does
 * not fit the class is a permanent failure: the message becomes a dead letter with its original
 * bytes.
 *
 * <p>Thread-safe if codec and handler are.
 *
 * @param <T> the type of a database transaction
 * @param <V> the class of the value
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

  /** Creates a handler for values of a class. */
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
                        "the body of message %s (%s) is not UTF-8 text, so it is not JSON"
                            .formatted(context.messageId(), message.type())));
    handler.handle(codec.decode(json, type), message, context);
  }

  /** Handles a decoded value. */
  @FunctionalInterface
  public interface ValueHandler<T, V> {
    void handle(V value, Message message, HandlerContext<T> context) throws Exception;
  }
}
