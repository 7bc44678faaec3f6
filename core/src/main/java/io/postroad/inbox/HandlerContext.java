package io.postroad.inbox;

import io.postroad.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * Gives a handler access to its transaction and to facts beside the message. Only the thread that
 * runs the handler may use it, and only during that run.
 *
 * @param <T> the type of a database transaction
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

  /** Returns the name of the handler. */
  public String handler() {
    return handler;
  }

  /**
   * Returns the id by which the inbox deduplicates the message: {@link Message#id()}, or an id that
   * the sender chose.
   */
  public String messageId() {
    return messageId;
  }

  /**
   * Returns the transaction in which the handler runs.
   *
   * @throws IllegalStateException if the handler was registered without a transaction
   */
  public T transaction() {
    if (transaction == null) {
      throw new IllegalStateException(
          "handler '%s' was registered without a transaction; use on(..) or onAny(..)"
              .formatted(handler));
    }
    return transaction;
  }

  /**
   * Extends the lease of a worker that has no broker, for a handler that runs long. Does nothing
   * elsewhere, because there is no lease.
   *
   * @throws io.postroad.message.PostroadException if another worker has claimed the message: stop
   */
  public void progress() {
    progress.run();
  }
}
