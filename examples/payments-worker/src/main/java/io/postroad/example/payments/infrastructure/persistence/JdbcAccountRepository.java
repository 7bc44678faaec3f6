package io.postroad.example.payments.infrastructure.persistence;

import io.micronaut.transaction.TransactionOperations;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.Transaction;
import io.postroad.example.payments.domain.repository.AccountRepository;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores accounts in the tables account and transaction. Thread-safe. */
@Singleton
public class JdbcAccountRepository implements AccountRepository {
  private final AccountMapper accountMapper;
  private final TransactionMapper transactionMapper;
  private final TransactionOperations<Connection> tx;

  JdbcAccountRepository(
      AccountMapper accountMapper,
      TransactionMapper transactionMapper,
      TransactionOperations<Connection> tx) {
    this.accountMapper = accountMapper;
    this.transactionMapper = transactionMapper;
    this.tx = tx;
  }

  @Override
  public void save(Account account) {
    tx.executeWrite(
        status -> {
          List<Transaction> unsaved = account.takeUnsaved();
          accountMapper.upsert(status.getConnection(), account, sum(unsaved));
          for (Transaction each : unsaved) {
            transactionMapper.insert(status.getConnection(), each);
          }
          return true;
        });
  }

  private static BigDecimal sum(List<Transaction> transactions) {
    return transactions.stream()
        .map(
            each ->
                each.transactionType().isDebit()
                    ? each.amount().amount().negate()
                    : each.amount().amount())
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @Override
  public Optional<Account> findById(UUID accountId) {
    return tx.executeRead(
        status ->
            whole(status.getConnection(), accountMapper.findById(status.getConnection(), accountId))
                .stream()
                .findFirst());
  }

  @Override
  public Optional<Account> findForUpdate(UUID accountId) {
    return tx.executeWrite(
        status ->
            whole(
                    status.getConnection(),
                    accountMapper.findForUpdate(status.getConnection(), accountId))
                .stream()
                .findFirst());
  }

  @Override
  public Optional<Account> findByAccountNumber(String accountNumber) {
    return tx.executeRead(
        status ->
            whole(
                    status.getConnection(),
                    accountMapper.findByAccountNumber(status.getConnection(), accountNumber))
                .stream()
                .findFirst());
  }

  @Override
  public List<Account> findByCustomerId(UUID customerId) {
    return tx.executeRead(
        status ->
            whole(
                status.getConnection(),
                accountMapper.findByCustomerId(status.getConnection(), customerId)));
  }

  private List<Account> whole(Connection connection, List<Account> accounts) throws SQLException {
    for (Account account : accounts) {
      transactionMapper
          .findByAccountId(connection, account.getAccountId())
          .forEach(account::restoreTransaction);
    }
    return accounts;
  }
}
