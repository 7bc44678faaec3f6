package io.postroad.example.payments.infrastructure.persistence;

import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountType;
import io.postroad.example.payments.domain.model.Money;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Maps rows of the table account. */
@Singleton
class AccountMapper {
  /** Adds the new transactions to the balance, so that opening an account twice resets nothing. */
  private static final String UPSERT =
      """
      INSERT INTO account (account_id, customer_id, account_number, currency_code, account_type,
        transit_number, limit_based, available_balance, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account_id)
      DO UPDATE SET available_balance = account.available_balance + ?
      """;

  /**
   * @param change the sum of the new transactions, which the account's balance includes already
   */
  void upsert(Connection connection, Account account, BigDecimal change) throws SQLException {
    Sql.update(
        connection,
        UPSERT,
        account.getAccountId(),
        account.getCustomerId(),
        account.getAccountNumber(),
        account.getCurrencyCode(),
        account.getAccountType().name(),
        account.getTransitNumber(),
        account.isLimitBased(),
        account.getAvailableBalance().amount(),
        // The columns are TIMESTAMP: UTC, whatever the zone of the session.
        LocalDateTime.now(ZoneOffset.UTC),
        change);
  }

  List<Account> findById(Connection connection, UUID accountId) throws SQLException {
    return Sql.query(
        connection, "SELECT * FROM account WHERE account_id = ?", this::toDomain, accountId);
  }

  List<Account> findForUpdate(Connection connection, UUID accountId) throws SQLException {
    return Sql.query(
        connection,
        "SELECT * FROM account WHERE account_id = ? FOR UPDATE",
        this::toDomain,
        accountId);
  }

  List<Account> findByAccountNumber(Connection connection, String accountNumber)
      throws SQLException {
    return Sql.query(
        connection,
        "SELECT * FROM account WHERE account_number = ?",
        this::toDomain,
        accountNumber);
  }

  List<Account> findByCustomerId(Connection connection, UUID customerId) throws SQLException {
    return Sql.query(
        connection,
        "SELECT * FROM account WHERE customer_id = ? ORDER BY created_at, account_id",
        this::toDomain,
        customerId);
  }

  private Account toDomain(ResultSet row) throws SQLException {
    String currency = row.getString("currency_code");
    return new Account(
        row.getObject("account_id", UUID.class),
        row.getObject("customer_id", UUID.class),
        row.getString("account_number"),
        currency,
        AccountType.valueOf(row.getString("account_type")),
        row.getString("transit_number"),
        row.getBoolean("limit_based"),
        new Money(row.getBigDecimal("available_balance"), currency));
  }
}
