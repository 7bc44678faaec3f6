package io.postroad.inbox;

import io.postroad.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has besides the message. Used by the thread that runs the handler, while it does.
 *
 * @param <T> what a transaction of the database is
 */
public final class HandlerContext<T> {
  private final String handler;
  private final String messageId;
  private final @Nullable T transaction;
  private final Runnable progress;

  public HandlerContext(
      String handler, String messageId, @Nullable T transaction, Runnable progress) {
    this.handler = handler;
    this.messageId = messageId;
    this.transaction = transaction;
    this.progress = progress;
  }

  /** The handler's name. */
  public String handler() {
    return handler;
  }

  /** What deduplication knows the message by: {@link Message#id()}, or what its sender calls it. */
  public String messageId() {
    return messageId;
  }

  /**
   * The transaction in which the handler runs.
   *
   * @throws IllegalStateException in a handler that was registered without one
   */
  public T transaction() {
    if (transaction == null) {
      throw new IllegalStateException(
          "handler '%s' was registered without a transaction: register it with one to use it"
              .formatted(handler));
    }
    return transaction;
  }

  /**
   * Says that a long handler is still getting on: a worker without a broker keeps the message for
   * it for as long again. Elsewhere nothing needs to be kept, and this does nothing.
   *
   * @throws io.postroad.message.PostroadException when the message was lost to another worker: stop
   */
  public void progress() {
    progress.run();
  }
}
