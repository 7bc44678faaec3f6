package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** The part of a limit that a booking uses, or used until it was released. */
public record LimitBooking(UUID bookingId, Money amount, Status status) {

  /** The status of a booking. */
  public enum Status {
    BOOKED,
    RELEASED
  }

  LimitBooking released() {
    return new LimitBooking(bookingId, amount, Status.RELEASED);
  }
}
