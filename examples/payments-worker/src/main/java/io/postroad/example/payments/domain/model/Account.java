package io.postroad.example.payments.domain.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An account with its transactions. The balance is their sum. Only a limit-based account may be
 * overdrawn. Used by one thread.
 */
public final class Account {
  private final UUID accountId;
  private final UUID customerId;
  private final String accountNumber;
  private final String currencyCode;
  private final AccountType accountType;
  private final String transitNumber;
  private final boolean limitBased;
  private final List<Transaction> transactions = new ArrayList<>();
  private final List<Transaction> unsaved = new ArrayList<>();
  private Money availableBalance;

  public Account(
      UUID accountId,
      UUID customerId,
      String accountNumber,
      String currencyCode,
      AccountType accountType,
      String transitNumber,
      boolean limitBased,
      Money availableBalance) {
    if (!availableBalance.currencyCode().equals(currencyCode)) {
      throw new IllegalArgumentException(
          "Currency mismatch: an account in %s cannot hold %s"
              .formatted(currencyCode, availableBalance));
    }
    this.accountId = accountId;
    this.customerId = customerId;
    this.accountNumber = accountNumber;
    this.currencyCode = currencyCode;
    this.accountType = accountType;
    this.transitNumber = transitNumber;
    this.limitBased = limitBased;
    this.availableBalance = availableBalance;
  }

  /**
   * Adds a transaction without a booking.
   *
   * @throws IllegalArgumentException for another currency, or an amount that is not positive
   * @throws InsufficientFundsException if the account would be overdrawn and must not be
   */
  public Transaction createTransaction(TransactionType type, Money amount, String description) {
    return transact(type, amount, description, Optional.empty());
  }

  /**
   * Adds the transaction of a booking. A repeated booking returns the same transaction.
   *
   * @throws BookingClosedException if the booking was reversed
   * @throws BookingConflictException if the booking has another type of transaction or another
   *     amount
   */
  public Transaction createTransaction(
      TransactionType type, Money amount, String description, UUID bookingId) {
    List<Transaction> known = ofBooking(bookingId);
    if (known.size() > 1) {
      throw new BookingClosedException(bookingId);
    }
    if (known.isEmpty()) {
      return transact(type, amount, description, Optional.of(bookingId));
    }
    Transaction done = known.get(0);
    if (done.transactionType() != type || !done.amount().equals(amount)) {
      throw new BookingConflictException(
          bookingId, done.transactionType() + " " + done.amount(), type + " " + amount);
    }
    return done;
  }

  /**
   * Reverses the transaction of a booking, once; empty if it has none here. The balance may fall
   * below zero by a reversal.
   */
  public Optional<Transaction> reverseTransaction(UUID bookingId) {
    List<Transaction> known = ofBooking(bookingId);
    if (known.isEmpty()) {
      return Optional.empty();
    }
    if (known.size() > 1) {
      return Optional.of(known.get(1));
    }
    Transaction done = known.get(0);
    TransactionType type = done.transactionType().opposite();
    return Optional.of(
        add(
            type,
            done.amount(),
            "Reversal: " + done.description(),
            Optional.of(bookingId),
            balanceAfter(type, done.amount())));
  }

  private Transaction transact(
      TransactionType type, Money amount, String description, Optional<UUID> bookingId) {
    if (!amount.currencyCode().equals(currencyCode)) {
      throw new IllegalArgumentException(
          "Currency mismatch: the account is in %s, the amount is %s"
              .formatted(currencyCode, amount));
    }
    if (!amount.isPositive()) {
      throw new IllegalArgumentException("amount must be positive, got " + amount);
    }
    Money newBalance = balanceAfter(type, amount);
    if (!limitBased && type.isDebit() && newBalance.isNegative()) {
      throw new InsufficientFundsException(accountId, availableBalance, amount);
    }
    return add(type, amount, description, bookingId, newBalance);
  }

  private Money balanceAfter(TransactionType type, Money amount) {
    return type.isDebit() ? availableBalance.subtract(amount) : availableBalance.add(amount);
  }

  private Transaction add(
      TransactionType type,
      Money amount,
      String description,
      Optional<UUID> bookingId,
      Money newBalance) {
    Transaction transaction =
        new Transaction(
            UUID.randomUUID(),
            accountId,
            Instant.now().truncatedTo(ChronoUnit.MICROS),
            type,
            amount,
            description,
            newBalance,
            bookingId);
    transactions.add(transaction);
    unsaved.add(transaction);
    availableBalance = newBalance;
    return transaction;
  }

  /** Returns the transaction of a booking and its reversal, in this order. */
  private List<Transaction> ofBooking(UUID bookingId) {
    return transactions.stream()
        .filter(each -> each.bookingId().equals(Optional.of(bookingId)))
        .toList();
  }

  /** Restores a saved transaction; the balance includes it already. */
  public void restoreTransaction(Transaction transaction) {
    transactions.add(transaction);
  }

  /** Returns the unsaved transactions, and regards them as saved. */
  public List<Transaction> takeUnsaved() {
    List<Transaction> taken = List.copyOf(unsaved);
    unsaved.clear();
    return taken;
  }

  public UUID getAccountId() {
    return accountId;
  }

  public UUID getCustomerId() {
    return customerId;
  }

  public String getAccountNumber() {
    return accountNumber;
  }

  public String getCurrencyCode() {
    return currencyCode;
  }

  public AccountType getAccountType() {
    return accountType;
  }

  public String getTransitNumber() {
    return transitNumber;
  }

  public boolean isLimitBased() {
    return limitBased;
  }

  public Money getAvailableBalance() {
    return availableBalance;
  }

  public List<Transaction> getTransactions() {
    return Collections.unmodifiableList(transactions);
  }
}
