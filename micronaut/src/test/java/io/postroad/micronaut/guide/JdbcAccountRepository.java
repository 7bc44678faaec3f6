package io.postroad.micronaut.guide;

import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Optional;
import java.util.UUID;

@Singleton
@Requires(env = "guide")
public class JdbcAccountRepository implements AccountRepository {
  private final TransactionOperations<Connection> tx;

  public JdbcAccountRepository(TransactionOperations<Connection> tx) {
    this.tx = tx;
  }

  @Override
  public void save(Account account) {
    tx.executeWrite(
        status -> {
          // 1. Upsert account
          try (PreparedStatement upsert =
              status
                  .getConnection()
                  .prepareStatement(
                      """
                      INSERT INTO account (account_id, customer_id, account_number, currency_code,
                        account_type, transit_number, limit_based, available_balance)
                      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                      ON CONFLICT (account_id)
                      DO UPDATE SET available_balance = excluded.available_balance
                      """)) {
            upsert.setObject(1, account.getAccountId());
            upsert.setObject(2, account.getCustomerId());
            upsert.setString(3, account.getAccountNumber());
            upsert.setString(4, account.getCurrencyCode());
            upsert.setString(5, account.getAccountType().name());
            upsert.setString(6, account.getTransitNumber());
            upsert.setBoolean(7, account.isLimitBased());
            upsert.setBigDecimal(8, account.getAvailableBalance().amount());
            upsert.executeUpdate();
          }
          return null;
        });
  }

  @Override
  public Optional<Account> findById(UUID accountId) {
    return tx.executeRead(
        status -> {
          try (PreparedStatement select =
              status
                  .getConnection()
                  .prepareStatement("SELECT * FROM account WHERE account_id = ?")) {
            select.setObject(1, accountId);
            try (ResultSet row = select.executeQuery()) {
              return row.next() ? Optional.of(toDomain(row)) : Optional.empty();
            }
          }
        });
  }

  private static Account toDomain(ResultSet row) throws java.sql.SQLException {
    return new Account(
        row.getObject("account_id", UUID.class),
        row.getObject("customer_id", UUID.class),
        row.getString("account_number"),
        row.getString("currency_code"),
        AccountType.valueOf(row.getString("account_type")),
        row.getString("transit_number"),
        row.getBoolean("limit_based"),
        new Money(row.getBigDecimal("available_balance"), row.getString("currency_code")));
  }
}
