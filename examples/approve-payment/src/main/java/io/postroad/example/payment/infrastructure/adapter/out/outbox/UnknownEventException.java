package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import java.util.UUID;

/** Thrown when there is no event with this id, or no longer; nothing was changed. */
public final class UnknownEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownEventException(UUID eventId, Throwable cause) {
    super("no outbox event has id " + eventId, cause);
  }
}
