package io.postroad.example.payments.domain.repository;

import io.postroad.example.payments.domain.model.BookingClosedException;
import io.postroad.example.payments.domain.model.BookingKind;
import java.util.UUID;

/**
 * Records undone bookings, also before their step ran: a step and its undo have different queues,
 * so either may come first. Joins the caller's transaction. Steps and undos of the same booking id
 * wait for each other until that transaction ends, and a rollback leaves no trace of either.
 */
public interface BookingRepository {

  /**
   * Opens a booking before its step.
   *
   * @throws BookingClosedException if the booking was undone
   */
  void open(BookingKind kind, UUID bookingId);

  /** Closes a booking before its undo, so that its step cannot run later. */
  void close(BookingKind kind, UUID bookingId);
}
