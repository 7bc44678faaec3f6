package io.postroad.example.payments.infrastructure.persistence;

import io.micronaut.transaction.TransactionOperations;
import io.postroad.example.payments.domain.model.AccountLimit;
import io.postroad.example.payments.domain.model.LimitBooking;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.TransactionType;
import io.postroad.example.payments.domain.repository.AccountLimitRepository;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores limits in the tables account_limit and limit_booking. Thread-safe. */
@Singleton
public class JdbcAccountLimitRepository implements AccountLimitRepository {
  /** Adds the new bookings to the used amount, so that creating limits twice resets nothing. */
  private static final String UPSERT =
      """
      INSERT INTO account_limit (limit_id, account_id, transaction_type, currency_code,
        limit_amount, utilized_amount)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (limit_id)
      DO UPDATE SET utilized_amount = account_limit.utilized_amount + ?
      """;

  private static final String UPSERT_BOOKING =
      """
      INSERT INTO limit_booking (limit_id, booking_id, amount, status)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (limit_id, booking_id)
      DO UPDATE SET status = excluded.status
      """;
  private static final String BY_ACCOUNT =
      "SELECT * FROM account_limit WHERE account_id = ? ORDER BY seq";
  private static final String BY_BOOKING =
      """
      SELECT * FROM account_limit
      WHERE limit_id = (SELECT limit_id FROM limit_booking WHERE booking_id = ?)
      FOR UPDATE
      """;

  private final TransactionOperations<Connection> tx;

  JdbcAccountLimitRepository(TransactionOperations<Connection> tx) {
    this.tx = tx;
  }

  @Override
  public void save(AccountLimit limit) {
    tx.executeWrite(
        status -> {
          Sql.update(
              status.getConnection(),
              UPSERT,
              limit.limitId(),
              limit.accountId(),
              limit.transactionType().name(),
              limit.limitAmount().currencyCode(),
              limit.limitAmount().amount(),
              limit.utilizedAmount().amount(),
              limit.newlyUtilized().amount());
          for (LimitBooking booking : limit.unsaved()) {
            Sql.update(
                status.getConnection(),
                UPSERT_BOOKING,
                limit.limitId(),
                booking.bookingId(),
                booking.amount().amount(),
                booking.status().name());
          }
          return true;
        });
  }

  @Override
  public Optional<AccountLimit> findById(UUID limitId) {
    return tx.executeRead(
        status ->
            find(status.getConnection(), "SELECT * FROM account_limit WHERE limit_id = ?", limitId)
                .stream()
                .findFirst());
  }

  @Override
  public List<AccountLimit> findByAccountId(UUID accountId) {
    return tx.executeRead(status -> find(status.getConnection(), BY_ACCOUNT, accountId));
  }

  @Override
  public List<AccountLimit> findForUpdate(UUID accountId) {
    return tx.executeWrite(
        status -> find(status.getConnection(), BY_ACCOUNT + " FOR UPDATE", accountId));
  }

  @Override
  public Optional<AccountLimit> findByBookingId(UUID bookingId) {
    return tx.executeWrite(
        status -> find(status.getConnection(), BY_BOOKING, bookingId).stream().findFirst());
  }

  /** Reads the bookings after the limits are locked, so that they are consistent. */
  private static List<AccountLimit> find(Connection connection, String sql, UUID id)
      throws SQLException {
    List<AccountLimit> found = new ArrayList<>();
    for (Row row : Sql.query(connection, sql, Row::of, id)) {
      found.add(
          AccountLimit.restored(
              row.limitId,
              row.accountId,
              row.type,
              row.limit,
              row.utilized,
              bookings(connection, row)));
    }
    return found;
  }

  private static List<LimitBooking> bookings(Connection connection, Row limit) throws SQLException {
    return Sql.query(
        connection,
        "SELECT * FROM limit_booking WHERE limit_id = ?",
        row ->
            new LimitBooking(
                row.getObject("booking_id", UUID.class),
                new Money(row.getBigDecimal("amount"), limit.limit.currencyCode()),
                LimitBooking.Status.valueOf(row.getString("status"))),
        limit.limitId);
  }

  private record Row(
      UUID limitId, UUID accountId, TransactionType type, Money limit, Money utilized) {
    static Row of(ResultSet row) throws SQLException {
      String currency = row.getString("currency_code");
      return new Row(
          row.getObject("limit_id", UUID.class),
          row.getObject("account_id", UUID.class),
          TransactionType.valueOf(row.getString("transaction_type")),
          new Money(row.getBigDecimal("limit_amount"), currency),
          new Money(row.getBigDecimal("utilized_amount"), currency));
    }
  }
}
