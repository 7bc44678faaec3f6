package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** Thrown when a booking was undone. A new attempt needs a new booking id. */
public final class BookingClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BookingClosedException(UUID bookingId) {
    super("booking %s was undone; a new attempt needs a new id".formatted(bookingId));
  }
}
