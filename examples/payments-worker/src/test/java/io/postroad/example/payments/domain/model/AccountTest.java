package io.postroad.example.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class AccountTest {
  private final UUID customerId = UUID.randomUUID();
  private final UUID bookingId = UUID.randomUUID();

  private Account account(boolean limitBased, double balance) {
    return new Account(
        UUID.randomUUID(),
        customerId,
        "ACC123",
        "USD",
        AccountType.CHECKING,
        "001",
        limitBased,
        Money.of(balance, "USD"));
  }

  @Test
  void shouldCreateTransactionAndUpdateBalance() {
    Account account = account(false, 1000);

    Transaction txn =
        account.createTransaction(TransactionType.DEBIT, Money.of(100, "USD"), "Purchase");

    assertEquals(Money.of(900, "USD"), account.getAvailableBalance());
    assertEquals(TransactionType.DEBIT, txn.transactionType());
    assertEquals(Money.of(900, "USD"), txn.balanceAfter());
  }

  @Test
  void shouldThrowInsufficientFundsException() {
    Account account = account(false, 50);

    assertThrows(
        InsufficientFundsException.class,
        () ->
            account.createTransaction(
                TransactionType.DEBIT, Money.of(100, "USD"), "Overdraft attempt"));

    assertThat(account.getTransactions()).isEmpty();
    assertEquals(Money.of(50, "USD"), account.getAvailableBalance());
  }

  @Test
  void shouldPreventOverdraftOnNonLimitBasedAccount() {
    Account account = account(false, 100);

    assertThrows(
        InsufficientFundsException.class,
        () -> account.createTransaction(TransactionType.DEBIT, Money.of(200, "USD"), "Overdraft"));
  }

  @Test
  void theWholeBalanceCanBeSpent() {
    Account account = account(false, 100);
    account.createTransaction(TransactionType.DEBIT, Money.of(100, "USD"), "All");
    assertEquals(Money.zero("USD"), account.getAvailableBalance());
  }

  @Test
  void aLimitBasedAccountMayBeOverdrawn() {
    Account account = account(true, 100);
    account.createTransaction(TransactionType.DEBIT, Money.of(200, "USD"), "Overdraft");
    assertEquals(Money.of(-100, "USD"), account.getAvailableBalance());
  }

  @Test
  void aCreditRaisesTheBalance() {
    Account account = account(false, 0);
    account.createTransaction(TransactionType.CREDIT, Money.of(5, "USD"), "Deposit");
    assertEquals(Money.of(5, "USD"), account.getAvailableBalance());
  }

  @Test
  void anotherCurrencyIsRefused() {
    Account account = account(false, 100);
    assertThrows(
        IllegalArgumentException.class,
        () -> account.createTransaction(TransactionType.CREDIT, Money.of(5, "EUR"), "Deposit"));
  }

  @Test
  void zeroAndNegativeAmountsAreRefused() {
    Account account = account(false, 100);
    for (double amount : new double[] {0, -1}) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              account.createTransaction(TransactionType.DEBIT, Money.of(amount, "USD"), "Nothing"));
    }
  }

  @Test
  void aRepeatedBookingHasOneTransaction() {
    Account account = account(false, 100);
    Transaction first =
        account.createTransaction(TransactionType.DEBIT, Money.of(10, "USD"), "Pay", bookingId);
    Transaction second =
        account.createTransaction(TransactionType.DEBIT, Money.of(10, "USD"), "Pay", bookingId);

    assertThat(second).isSameAs(first);
    assertEquals(Money.of(90, "USD"), account.getAvailableBalance());
  }

  @Test
  void aReversalUndoesOnlyItsBookingAndOnlyOnce() {
    Account account = account(false, 100);
    account.createTransaction(TransactionType.DEBIT, Money.of(10, "USD"), "Pay", bookingId);
    account.createTransaction(TransactionType.DEBIT, Money.of(20, "USD"), "Pay", UUID.randomUUID());

    Transaction reversal = account.reverseTransaction(bookingId).orElseThrow();
    Transaction again = account.reverseTransaction(bookingId).orElseThrow();

    assertThat(again).isSameAs(reversal);
    assertEquals(TransactionType.CREDIT, reversal.transactionType());
    assertEquals(Money.of(80, "USD"), account.getAvailableBalance());
  }

  @Test
  void aReversalWithoutABookingHasNoEffect() {
    Account account = account(false, 100);
    assertThat(account.reverseTransaction(bookingId)).isEmpty();
    assertEquals(Money.of(100, "USD"), account.getAvailableBalance());
  }

  @Test
  void aBookingWithAnotherTypeOrAmountIsRefused() {
    Account account = account(false, 100);
    account.createTransaction(TransactionType.CREDIT, Money.of(1, "USD"), "Deposit", bookingId);

    assertThrows(
        BookingConflictException.class,
        () ->
            account.createTransaction(TransactionType.DEBIT, Money.of(1, "USD"), "Pay", bookingId));
    assertThrows(
        BookingConflictException.class,
        () ->
            account.createTransaction(
                TransactionType.CREDIT, Money.of(2, "USD"), "Deposit", bookingId));
    assertEquals(Money.of(101, "USD"), account.getAvailableBalance());
  }

  @Test
  void aReversedBookingIsNotBookedAgain() {
    Account account = account(false, 100);
    account.createTransaction(TransactionType.DEBIT, Money.of(10, "USD"), "Pay", bookingId);
    account.reverseTransaction(bookingId);

    assertThrows(
        BookingClosedException.class,
        () ->
            account.createTransaction(
                TransactionType.DEBIT, Money.of(10, "USD"), "Pay", bookingId));
  }

  @Test
  void transactionsAreSavedOnceAndRestoredOnesAreNotSaved() {
    Account account = account(false, 100);
    Transaction saved =
        account.createTransaction(TransactionType.DEBIT, Money.of(10, "USD"), "Pay");
    assertThat(account.takeUnsaved()).containsExactly(saved);
    assertThat(account.takeUnsaved()).isEmpty();

    Account loaded = account(false, 90);
    loaded.restoreTransaction(saved);
    assertThat(loaded.takeUnsaved()).isEmpty();
    assertThat(loaded.getTransactions()).containsExactly(saved);
    assertEquals(Money.of(90, "USD"), loaded.getAvailableBalance());
  }

  @Test
  void anAccountRefusesABalanceInAnotherCurrency() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new Account(
                UUID.randomUUID(),
                customerId,
                "ACC123",
                "USD",
                AccountType.SAVINGS,
                "001",
                false,
                Money.zero("EUR")));
  }
}
