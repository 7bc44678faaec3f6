package io.postroad.example.rules.application;

/** Thrown when another rule has the idempotency key; nothing was stored. */
public final class IdempotencyKeyTakenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public IdempotencyKeyTakenException(String message) {
    super(message);
  }
}
