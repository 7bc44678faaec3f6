package io.postroad.message;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an operation of Postroad fails. The text names the operation, the object and the next
 * thing to do.
 *
 * <p>Wrong arguments cause an {@link IllegalArgumentException} instead. Subclasses exist only where
 * a caller can react to them.
 */
public class PostroadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PostroadException(String message) {
    super(message);
  }

  public PostroadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
