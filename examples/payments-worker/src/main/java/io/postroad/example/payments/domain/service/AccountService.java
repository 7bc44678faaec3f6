package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.application.command.AccountCompleted;
import io.postroad.example.payments.application.command.AccountCreated;
import io.postroad.example.payments.application.command.CompleteAccountCreationCommand;
import io.postroad.example.payments.application.command.CreateAccountCommand;
import io.postroad.example.payments.application.command.CreateTransactionCommand;
import io.postroad.example.payments.application.command.ReverseTransactionCommand;
import io.postroad.example.payments.application.command.TransactionCreated;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountExistsException;
import io.postroad.example.payments.domain.model.BookingKind;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.Transaction;
import io.postroad.example.payments.domain.model.UnknownAccountException;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.domain.repository.BookingRepository;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens accounts and moves money on them. Thread-safe: changes of one account wait for each other.
 * Each method runs in its own transaction or joins the caller's. A repeated call with the same ids
 * changes nothing.
 */
@Singleton
public class AccountService {
  private static final Logger LOG = LoggerFactory.getLogger(AccountService.class);

  private final AccountRepository accounts;
  private final BookingRepository bookings;

  public AccountService(AccountRepository accounts, BookingRepository bookings) {
    this.accounts = accounts;
    this.bookings = bookings;
  }

  /**
   * Opens an account. A repeated request returns the existing account; its limits are checked when
   * they are created.
   *
   * @throws AccountExistsException if a different account has the id
   */
  @Transactional
  public AccountCreated createAccount(CreateAccountCommand cmd) {
    Account account = accounts.findById(cmd.accountId()).orElseGet(() -> opened(cmd));
    if (!isWanted(account, cmd)) {
      throw new AccountExistsException(cmd.accountId());
    }
    return new AccountCreated(account.getAccountId(), account.getAccountNumber());
  }

  private static boolean isWanted(Account account, CreateAccountCommand cmd) {
    return cmd.customerId().equals(account.getCustomerId())
        && cmd.currencyCode().equals(account.getCurrencyCode())
        && cmd.accountType() == account.getAccountType()
        && cmd.transitNumber().equals(account.getTransitNumber())
        && cmd.limitBased() == account.isLimitBased();
  }

  private Account opened(CreateAccountCommand cmd) {
    Account account =
        new Account(
            cmd.accountId(),
            cmd.customerId(),
            accountNumber(cmd.accountId()),
            cmd.currencyCode(),
            cmd.accountType(),
            cmd.transitNumber(),
            cmd.limitBased(),
            Money.zero(cmd.currencyCode()));
    accounts.save(account);
    // Another command may have opened the account meanwhile: the stored one counts.
    return accounts.findById(cmd.accountId()).orElse(account);
  }

  /**
   * Derives the account number from the id, so that a repeated command gets the same one; the
   * column is unique.
   */
  private static String accountNumber(UUID accountId) {
    String digits = accountId.toString().replace("-", "");
    return "ACC" + digits.substring(digits.length() - 17).toUpperCase(Locale.ROOT);
  }

  /** Ends the process on both paths, without further work. */
  @Transactional
  public AccountCompleted completeAccountCreation(CompleteAccountCreationCommand cmd) {
    LOG.info("Account creation completed: {}", cmd.accountId());
    return new AccountCompleted("completed");
  }

  @Transactional
  public TransactionCreated createTransaction(CreateTransactionCommand cmd) {
    bookings.open(BookingKind.TRANSACTION, cmd.bookingId());
    Account account = forUpdate(cmd.accountId());
    Transaction transaction =
        account.createTransaction(
            cmd.transactionType(), cmd.amount(), cmd.description(), cmd.bookingId());
    accounts.save(account);
    return created(transaction);
  }

  @Transactional
  public Optional<TransactionCreated> reverseTransaction(ReverseTransactionCommand cmd) {
    bookings.close(BookingKind.TRANSACTION, cmd.bookingId());
    Account account = forUpdate(cmd.accountId());
    Optional<Transaction> reversal = account.reverseTransaction(cmd.bookingId());
    accounts.save(account);
    return reversal.map(AccountService::created);
  }

  private Account forUpdate(UUID accountId) {
    return accounts
        .findForUpdate(accountId)
        .orElseThrow(() -> new UnknownAccountException(accountId));
  }

  private static TransactionCreated created(Transaction transaction) {
    return new TransactionCreated(transaction.transactionId(), transaction.balanceAfter().amount());
  }
}
