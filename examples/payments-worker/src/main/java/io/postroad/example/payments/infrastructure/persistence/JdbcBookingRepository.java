package io.postroad.example.payments.infrastructure.persistence;

import io.micronaut.transaction.TransactionOperations;
import io.postroad.example.payments.domain.model.BookingClosedException;
import io.postroad.example.payments.domain.model.BookingKind;
import io.postroad.example.payments.domain.repository.BookingRepository;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.UUID;

/** Stores bookings in the table booking; opening and closing lock the row. Thread-safe. */
@Singleton
public class JdbcBookingRepository implements BookingRepository {
  /** Changes nothing in an existing row, but waits for its lock and locks it. */
  private static final String OPEN =
      """
      INSERT INTO booking (booking_id, kind, undone)
      VALUES (?, ?, false)
      ON CONFLICT (booking_id, kind)
      DO UPDATE SET undone = booking.undone
      RETURNING undone
      """;

  private static final String CLOSE =
      """
      INSERT INTO booking (booking_id, kind, undone)
      VALUES (?, ?, true)
      ON CONFLICT (booking_id, kind)
      DO UPDATE SET undone = true
      """;

  private final TransactionOperations<Connection> tx;

  JdbcBookingRepository(TransactionOperations<Connection> tx) {
    this.tx = tx;
  }

  @Override
  public void open(BookingKind kind, UUID bookingId) {
    boolean undone =
        tx.executeWrite(
            status ->
                Sql.query(
                        status.getConnection(),
                        OPEN,
                        row -> row.getBoolean("undone"),
                        bookingId,
                        kind.name())
                    .get(0));
    if (undone) {
      throw new BookingClosedException(bookingId);
    }
  }

  @Override
  public void close(BookingKind kind, UUID bookingId) {
    tx.executeWrite(
        status -> {
          Sql.update(status.getConnection(), CLOSE, bookingId, kind.name());
          return true;
        });
  }
}
