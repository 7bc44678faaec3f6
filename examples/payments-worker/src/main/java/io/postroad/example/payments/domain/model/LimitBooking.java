package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** A part of a limit that a booking uses, or has used until it was released. */
public record LimitBooking(UUID bookingId, Money amount, Status status) {

  /** Whether it counts. */
  public enum Status {
    BOOKED,
    RELEASED
  }

  LimitBooking released() {
    return new LimitBooking(bookingId, amount, Status.RELEASED);
  }
}
