package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.BookingClosedException;
import io.postroad.example.payments.domain.model.BookingKind;
import java.util.UUID;

/**
 * Knows which bookings were undone, also those that were not done yet: a step and its undo come by
 * different queues, in any order. Joins the transaction of its caller; what is booked and what is
 * undone under one id wait for each other until it ends, and a rollback leaves nothing of either.
 */
public interface BookingRepository {

  /**
   * Before something is booked.
   *
   * @throws BookingClosedException when it was undone, whether it had been done or not
   */
  void open(BookingKind kind, UUID bookingId);

  /** Before something is undone: from now on it is not booked any more. */
  void close(BookingKind kind, UUID bookingId);
}
