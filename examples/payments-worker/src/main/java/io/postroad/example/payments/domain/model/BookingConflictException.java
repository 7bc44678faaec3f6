package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** Thrown when a booking id was used for something else. A retry does not help: use another id. */
public final class BookingConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param known the earlier use of the id
   * @param wanted the new use of the id
   */
  public BookingConflictException(UUID bookingId, Object known, Object wanted) {
    super("booking %s is known for %s, not for %s".formatted(bookingId, known, wanted));
  }
}
