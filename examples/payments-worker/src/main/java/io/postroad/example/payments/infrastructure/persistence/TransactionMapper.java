package io.postroad.example.payments.infrastructure.persistence;

import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.Transaction;
import io.postroad.example.payments.domain.model.TransactionType;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Maps rows of the table transaction. */
@Singleton
class TransactionMapper {
  private static final String INSERT =
      """
      INSERT INTO transaction (transaction_id, account_id, transaction_time, transaction_type,
        amount, currency_code, description, balance_after, booking_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  void insert(Connection connection, Transaction transaction) throws SQLException {
    Sql.update(
        connection,
        INSERT,
        transaction.transactionId(),
        transaction.accountId(),
        LocalDateTime.ofInstant(transaction.transactionTime(), ZoneOffset.UTC),
        transaction.transactionType().name(),
        transaction.amount().amount(),
        transaction.amount().currencyCode(),
        transaction.description(),
        transaction.balanceAfter().amount(),
        transaction.bookingId().orElse(null));
  }

  /** Returns the transactions in the order of their creation. */
  List<Transaction> findByAccountId(Connection connection, UUID accountId) throws SQLException {
    return Sql.query(
        connection,
        "SELECT * FROM transaction WHERE account_id = ? ORDER BY seq",
        this::toDomain,
        accountId);
  }

  private Transaction toDomain(ResultSet row) throws SQLException {
    String currency = row.getString("currency_code");
    return new Transaction(
        row.getObject("transaction_id", UUID.class),
        row.getObject("account_id", UUID.class),
        row.getObject("transaction_time", LocalDateTime.class).toInstant(ZoneOffset.UTC),
        TransactionType.valueOf(row.getString("transaction_type")),
        new Money(row.getBigDecimal("amount"), currency),
        row.getString("description"),
        new Money(row.getBigDecimal("balance_after"), currency),
        Optional.ofNullable(row.getObject("booking_id", UUID.class)));
  }
}
