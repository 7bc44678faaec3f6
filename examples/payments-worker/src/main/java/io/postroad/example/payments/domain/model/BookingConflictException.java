package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** The id is known, and was for something else. Trying again does not help: take another id. */
public final class BookingConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param known what it was for
   * @param wanted what it was to be for now
   */
  public BookingConflictException(UUID bookingId, Object known, Object wanted) {
    super("booking %s is known for %s, not for %s".formatted(bookingId, known, wanted));
  }
}
