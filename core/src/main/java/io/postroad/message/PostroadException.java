package io.postroad.message;

import org.jspecify.annotations.Nullable;

/**
 * Something Postroad tried did not work; the text says what, on which thing, and what to do next.
 *
 * <p>Wrong arguments are {@link IllegalArgumentException}s instead. Subclasses exist only where a
 * caller can act on them.
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
