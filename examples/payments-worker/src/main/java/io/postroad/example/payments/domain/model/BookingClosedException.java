package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** What was undone is not done any more under the same booking id: take a new one. */
public final class BookingClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BookingClosedException(UUID bookingId) {
    super("booking %s was undone; a new attempt needs a new id".formatted(bookingId));
  }
}
