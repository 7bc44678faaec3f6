package io.postroad.example.payments.domain.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micronaut.core.type.Argument;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.example.kit.Await;
import io.postroad.example.payments.RunningApplication;
import io.postroad.example.payments.application.command.BookFxCommand;
import io.postroad.example.payments.application.command.BookLimitsCommand;
import io.postroad.example.payments.application.command.CreateAccountCommand;
import io.postroad.example.payments.application.command.CreateLimitsCommand;
import io.postroad.example.payments.application.command.CreatePaymentCommand;
import io.postroad.example.payments.application.command.CreateTransactionCommand;
import io.postroad.example.payments.application.command.ReverseLimitsCommand;
import io.postroad.example.payments.application.command.ReverseTransactionCommand;
import io.postroad.example.payments.application.command.UnwindFxCommand;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountExistsException;
import io.postroad.example.payments.domain.model.AccountLimit;
import io.postroad.example.payments.domain.model.AccountLimitDefinition;
import io.postroad.example.payments.domain.model.AccountType;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.BookingClosedException;
import io.postroad.example.payments.domain.model.BookingConflictException;
import io.postroad.example.payments.domain.model.FxContract;
import io.postroad.example.payments.domain.model.FxRateException;
import io.postroad.example.payments.domain.model.LimitExceededException;
import io.postroad.example.payments.domain.model.LimitsConflictException;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.TransactionType;
import io.postroad.example.payments.domain.model.UnknownAccountException;
import io.postroad.example.payments.domain.repository.AccountLimitRepository;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.domain.repository.FxContractRepository;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Each handler is called twice, and undone twice; the booking id identifies its work. */
class ServicesIntegrationTest {
  private static final LocalDate DAY = LocalDate.of(2026, 11, 30);
  private static final String WAITING =
      "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

  private final RunningApplication application = RunningApplication.shared();
  private final AccountService accountService = application.bean(AccountService.class);
  private final LimitService limitService = application.bean(LimitService.class);
  private final FxService fxService = application.bean(FxService.class);
  private final PaymentService paymentService = application.bean(PaymentService.class);
  private final AccountRepository accounts = application.bean(AccountRepository.class);
  private final AccountLimitRepository limits = application.bean(AccountLimitRepository.class);
  private final FxContractRepository contracts = application.bean(FxContractRepository.class);
  private final UUID bookingId = UUID.randomUUID();

  @SuppressWarnings("unchecked")
  private final TransactionOperations<Connection> tx =
      application.bean(Argument.of(TransactionOperations.class, Connection.class));

  @Test
  void anAccountIsOpenedOnceAndItsIdCannotBeReused() {
    UUID accountId = UUID.randomUUID();
    UUID customerId = UUID.randomUUID();
    CreateAccountCommand open =
        new CreateAccountCommand(
            accountId, customerId, "USD", AccountType.SAVINGS, "001", false, List.of());
    List<CreateAccountCommand> others =
        List.of(
            new CreateAccountCommand(
                accountId, UUID.randomUUID(), "USD", AccountType.SAVINGS, "001", false, List.of()),
            new CreateAccountCommand(
                accountId, customerId, "CAD", AccountType.SAVINGS, "001", false, List.of()),
            new CreateAccountCommand(
                accountId, customerId, "USD", AccountType.CHECKING, "001", false, List.of()),
            new CreateAccountCommand(
                accountId, customerId, "USD", AccountType.SAVINGS, "002", false, List.of()),
            new CreateAccountCommand(
                accountId, customerId, "USD", AccountType.SAVINGS, "001", true, debits(1)));

    assertEquals(accountService.createAccount(open), accountService.createAccount(open));
    for (CreateAccountCommand other : others) {
      assertThrows(
          AccountExistsException.class, () -> accountService.createAccount(other), other::toString);
    }
  }

  @Test
  void limitsAreCreatedOnceAndNotReplaced() {
    UUID accountId = UUID.randomUUID();
    accountService.createAccount(limitBased(accountId));
    CreateLimitsCommand make = new CreateLimitsCommand(accountId, debits(1, 2));

    assertEquals(2, limitService.createLimits(make).limitCount());
    assertEquals(2, limitService.createLimits(make).limitCount());
    for (List<AccountLimitDefinition> others : List.of(debits(1), debits(1, 3), debits(1, 2, 3))) {
      assertThrows(
          LimitsConflictException.class,
          () -> limitService.createLimits(new CreateLimitsCommand(accountId, others)),
          others::toString);
    }

    assertThat(limits.findByAccountId(accountId))
        .extracting(AccountLimit::limitAmount)
        .containsExactly(Money.of(1, "USD"), Money.of(2, "USD"));
  }

  @Test
  void anAccountThatIsNotLimitBasedGetsNoLimits() throws Exception {
    UUID accountId = application.account(0);
    assertThrows(
        LimitsConflictException.class,
        () -> limitService.createLimits(new CreateLimitsCommand(accountId, debits(1))));
    assertThat(limits.findByAccountId(accountId)).isEmpty();

    assertThrows(
        UnknownAccountException.class,
        () -> limitService.createLimits(new CreateLimitsCommand(bookingId, debits(1))));
  }

  /** Both find no limits; the second waits, and then finds those of the first. */
  @Test
  void theSecondOfTwoConcurrentCreationsAddsNoLimits() {
    UUID accountId = UUID.randomUUID();
    accountService.createAccount(limitBased(accountId));

    ExecutionException refused =
        assertThrows(
            ExecutionException.class,
            () ->
                atOnce(
                    () -> limitService.createLimits(new CreateLimitsCommand(accountId, debits(1))),
                    () ->
                        limitService.createLimits(
                            new CreateLimitsCommand(accountId, debits(1, 2)))));

    assertThat(refused).hasCauseInstanceOf(LimitsConflictException.class);
    assertThat(limits.findByAccountId(accountId)).hasSize(1);
  }

  private static List<AccountLimitDefinition> debits(double... amounts) {
    return DoubleStream.of(amounts)
        .mapToObj(
            amount -> new AccountLimitDefinition(TransactionType.DEBIT, Money.of(amount, "USD")))
        .toList();
  }

  @Test
  void limitsAreBookedOnceAndReversedOnce() throws Exception {
    UUID accountId = application.limitedAccount(100);
    BookLimitsCommand book =
        new BookLimitsCommand(accountId, bookingId, TransactionType.DEBIT, Money.of(60, "USD"));

    assertEquals(limitService.bookLimits(book), limitService.bookLimits(book));
    assertEquals(Money.of(60, "USD"), limits.findByAccountId(accountId).get(0).utilizedAmount());

    assertThrows(
        BookingConflictException.class,
        () ->
            limitService.bookLimits(
                new BookLimitsCommand(
                    accountId, bookingId, TransactionType.DEBIT, Money.of(61, "USD"))));

    limitService.reverseLimits(new ReverseLimitsCommand(bookingId));
    limitService.reverseLimits(new ReverseLimitsCommand(bookingId));
    assertEquals(Money.zero("USD"), limits.findByAccountId(accountId).get(0).utilizedAmount());
    assertThrows(BookingClosedException.class, () -> limitService.bookLimits(book));
  }

  @Test
  void aLimitThatHasNoRoomIsNotBooked() throws Exception {
    UUID accountId = application.limitedAccount(100);
    assertThrows(
        LimitExceededException.class,
        () ->
            limitService.bookLimits(
                new BookLimitsCommand(
                    accountId, bookingId, TransactionType.DEBIT, Money.of(101, "USD"))));
    assertThat(limits.findByBookingId(bookingId)).isEmpty();
  }

  @Test
  void anAccountWithoutLimitsHasNothingToBook() throws Exception {
    assertThat(
            limitService
                .bookLimits(
                    new BookLimitsCommand(
                        application.account(0),
                        bookingId,
                        TransactionType.DEBIT,
                        Money.of(1, "USD")))
                .limitId())
        .isEmpty();
  }

  @Test
  void aLimitBasedAccountWithoutLimitsHasNoRoom() {
    UUID accountId = UUID.randomUUID();
    accountService.createAccount(limitBased(accountId));

    assertThrows(
        LimitExceededException.class,
        () ->
            limitService.bookLimits(
                new BookLimitsCommand(
                    accountId, bookingId, TransactionType.DEBIT, Money.of(1, "USD"))));
  }

  /** Two commands that both found nothing write the same rows. */
  @Test
  void openingAnAccountOrCreatingLimitsAgainResetsNothing() throws Exception {
    UUID accountId = UUID.randomUUID();
    accountService.createAccount(limitBased(accountId));
    Account asItWas = accounts.findById(accountId).orElseThrow();
    accountService.createTransaction(
        new CreateTransactionCommand(
            accountId, UUID.randomUUID(), TransactionType.CREDIT, Money.of(100, "USD"), "In"));
    accounts.save(asItWas);
    assertEquals(
        Money.of(100, "USD"), accounts.findById(accountId).orElseThrow().getAvailableBalance());

    UUID limited = application.limitedAccount(100);
    AccountLimit unused = limits.findByAccountId(limited).get(0);
    limitService.bookLimits(
        new BookLimitsCommand(limited, bookingId, TransactionType.DEBIT, Money.of(60, "USD")));
    limits.save(unused);
    assertEquals(Money.of(60, "USD"), limits.findByAccountId(limited).get(0).utilizedAmount());
  }

  private static CreateAccountCommand limitBased(UUID accountId) {
    return new CreateAccountCommand(
        accountId, UUID.randomUUID(), "USD", AccountType.SAVINGS, "001", true, debits(1));
  }

  @Test
  void aContractIsBookedOnceAndUnwoundOnce() {
    BookFxCommand book =
        new BookFxCommand(bookingId, Money.of(100, "USD"), Money.of(135, "CAD"), DAY);

    assertEquals(fxService.bookFx(book), fxService.bookFx(book));
    assertThrows(
        BookingConflictException.class,
        () ->
            fxService.bookFx(
                new BookFxCommand(bookingId, Money.of(200, "USD"), Money.of(270, "CAD"), DAY)));
    fxService.unwindFx(new UnwindFxCommand(bookingId));
    fxService.unwindFx(new UnwindFxCommand(bookingId));

    assertThat(contracts.findByBookingId(bookingId).orElseThrow().status())
        .isEqualTo(FxContract.Status.UNWOUND);
    assertThrows(BookingClosedException.class, () -> fxService.bookFx(book));
  }

  @Test
  void aPairIsTradedInBothDirectionsAndAnUnknownPairIsNot() {
    fxService.bookFx(new BookFxCommand(bookingId, Money.of(125, "USD"), Money.of(100, "EUR"), DAY));
    assertThrows(
        FxRateException.class,
        () ->
            fxService.bookFx(
                new BookFxCommand(UUID.randomUUID(), Money.of(1, "USD"), Money.of(1, "XXX"), DAY)));
  }

  /** Also for a pair with a periodic opposite rate. */
  @Test
  void theMarketValueIsExactAndNotExceeded() {
    fxService.bookFx(new BookFxCommand(bookingId, Money.of(130, "USD"), Money.of(100, "GBP"), DAY));
    for (Money tooMuch : List.of(Money.of(100.0001, "GBP"), Money.of(175.5001, "CAD"))) {
      assertThrows(
          FxRateException.class,
          () ->
              fxService.bookFx(
                  new BookFxCommand(UUID.randomUUID(), Money.of(130, "USD"), tooMuch, DAY)));
    }
    assertThrows(
        FxRateException.class,
        () ->
            fxService.bookFx(
                new BookFxCommand(
                    UUID.randomUUID(), Money.of(0.0001, "USD"), Money.of(0.0002, "CAD"), DAY)));
  }

  @Test
  void aTransactionIsCreatedOnceAndReversedOnce() throws Exception {
    UUID accountId = application.account(100);
    CreateTransactionCommand pay =
        new CreateTransactionCommand(
            accountId, bookingId, TransactionType.DEBIT, Money.of(10, "USD"), "Pay");

    assertEquals(accountService.createTransaction(pay), accountService.createTransaction(pay));
    assertEquals(
        Money.of(90, "USD"), accounts.findById(accountId).orElseThrow().getAvailableBalance());

    ReverseTransactionCommand reverse = new ReverseTransactionCommand(accountId, bookingId);
    assertEquals(
        accountService.reverseTransaction(reverse), accountService.reverseTransaction(reverse));
    assertEquals(
        Money.of(100, "USD"), accounts.findById(accountId).orElseThrow().getAvailableBalance());
    assertThrows(BookingClosedException.class, () -> accountService.createTransaction(pay));
  }

  @Test
  void anUndoWithoutItsStepHasNoEffect() throws Exception {
    UUID accountId = application.account(100);
    limitService.reverseLimits(new ReverseLimitsCommand(bookingId));
    fxService.unwindFx(new UnwindFxCommand(bookingId));
    assertThat(
            accountService.reverseTransaction(new ReverseTransactionCommand(accountId, bookingId)))
        .isEmpty();
    assertEquals(
        Money.of(100, "USD"), accounts.findById(accountId).orElseThrow().getAvailableBalance());
  }

  /** Each command has its own queue: an undo may overtake its step. */
  @Test
  void aStepAfterItsUndoIsRefused() throws Exception {
    UUID limited = application.limitedAccount(100);
    UUID funded = application.account(100);
    for (int i = 0; i < 2; i++) {
      limitService.reverseLimits(new ReverseLimitsCommand(bookingId));
      fxService.unwindFx(new UnwindFxCommand(bookingId));
      accountService.reverseTransaction(new ReverseTransactionCommand(funded, bookingId));

      assertThrows(
          BookingClosedException.class, () -> limitService.bookLimits(limits(limited, 60)));
      assertThrows(BookingClosedException.class, () -> limitService.bookLimits(limits(funded, 60)));
      assertThrows(BookingClosedException.class, () -> fxService.bookFx(fx()));
      assertThrows(
          BookingClosedException.class, () -> accountService.createTransaction(debit(funded, 10)));
      assertThrows(
          BookingClosedException.class, () -> paymentService.createPayment(payment(funded)));
    }

    assertEquals(Money.zero("USD"), limits.findByAccountId(limited).get(0).utilizedAmount());
    assertThat(contracts.findByBookingId(bookingId)).isEmpty();
    assertEquals(
        Money.of(100, "USD"), accounts.findById(funded).orElseThrow().getAvailableBalance());
    assertEquals(0, application.count("payment WHERE payment_id = '" + bookingId + "'"));
  }

  /** The steps of a booking are undone separately: one undo does not close the others. */
  @Test
  void undoingOneKindDoesNotCloseTheOthers() throws Exception {
    UUID funded = application.account(100);
    fxService.unwindFx(new UnwindFxCommand(bookingId));
    limitService.bookLimits(limits(funded, 10));
    accountService.createTransaction(debit(funded, 10));
    assertEquals(
        Money.of(90, "USD"), accounts.findById(funded).orElseThrow().getAvailableBalance());
  }

  @Test
  void anUndoWaitsForItsRunningStep() throws Exception {
    UUID limited = application.limitedAccount(100);
    atOnce(
        () -> limitService.bookLimits(limits(limited, 60)),
        () -> limitService.reverseLimits(new ReverseLimitsCommand(bookingId)));
    assertEquals(Money.zero("USD"), limits.findByAccountId(limited).get(0).utilizedAmount());

    atOnce(() -> fxService.bookFx(fx()), () -> fxService.unwindFx(new UnwindFxCommand(bookingId)));
    assertThat(contracts.findByBookingId(bookingId).orElseThrow().status())
        .isEqualTo(FxContract.Status.UNWOUND);

    UUID funded = application.account(100);
    atOnce(
        () -> accountService.createTransaction(debit(funded, 10)),
        () -> accountService.reverseTransaction(new ReverseTransactionCommand(funded, bookingId)));
    assertEquals(
        Money.of(100, "USD"), accounts.findById(funded).orElseThrow().getAvailableBalance());
  }

  /** Neither the constraint of the table nor a retry is needed. */
  @Test
  void aBookingWaitsForAConcurrentOneAndSeesTheRestOfTheLimit() throws Exception {
    UUID limited = application.limitedAccount(100);
    BookLimitsCommand other =
        new BookLimitsCommand(
            limited, UUID.randomUUID(), TransactionType.DEBIT, Money.of(60, "USD"));

    ExecutionException refused =
        assertThrows(
            ExecutionException.class,
            () ->
                atOnce(
                    () -> limitService.bookLimits(limits(limited, 60)),
                    () -> limitService.bookLimits(other)));

    assertThat(refused).hasCauseInstanceOf(LimitExceededException.class);
    assertEquals(Money.of(60, "USD"), limits.findByAccountId(limited).get(0).utilizedAmount());
  }

  /** Commits the first when the second waits for it, or has ended without waiting. */
  private void atOnce(Runnable first, Runnable second) throws Exception {
    CompletableFuture<Void> waited =
        tx.executeWrite(
            status -> {
              first.run();
              CompletableFuture<Void> begun = CompletableFuture.runAsync(second);
              assertThat(
                      Await.<SQLException>until(
                          () -> begun.isDone() || application.count(WAITING) > 0,
                          Duration.ofMinutes(1)))
                  .isTrue();
              return begun;
            });
    waited.get(1, TimeUnit.MINUTES);
  }

  /** Like a crash before the commit. */
  @Test
  void aRollbackLeavesTheBookingUnchanged() throws Exception {
    UUID limited = application.limitedAccount(100);
    assertThrows(LimitExceededException.class, () -> limitService.bookLimits(limits(limited, 101)));
    assertEquals(0, application.count("booking WHERE booking_id = '" + bookingId + "'"));
    tx.executeWrite(
        status -> {
          limitService.reverseLimits(new ReverseLimitsCommand(bookingId));
          status.setRollbackOnly();
          return true;
        });

    limitService.bookLimits(limits(limited, 60));

    assertEquals(Money.of(60, "USD"), limits.findByAccountId(limited).get(0).utilizedAmount());
  }

  @Test
  void aPaymentWithAReversedDebitIsNotSubmitted() throws Exception {
    UUID accountId = application.account(100);
    accountService.createTransaction(debit(accountId, 1));
    accountService.reverseTransaction(new ReverseTransactionCommand(accountId, bookingId));

    assertThrows(
        BookingClosedException.class, () -> paymentService.createPayment(payment(accountId)));

    assertEquals(0, application.count("payment WHERE payment_id = '" + bookingId + "'"));
  }

  private BookLimitsCommand limits(UUID accountId, double amount) {
    return new BookLimitsCommand(
        accountId, bookingId, TransactionType.DEBIT, Money.of(amount, "USD"));
  }

  private BookFxCommand fx() {
    return new BookFxCommand(bookingId, Money.of(100, "USD"), Money.of(135, "CAD"), DAY);
  }

  private CreateTransactionCommand debit(UUID accountId, double amount) {
    return new CreateTransactionCommand(
        accountId, bookingId, TransactionType.DEBIT, Money.of(amount, "USD"), "Pay");
  }

  private CreatePaymentCommand payment(UUID accountId) {
    return new CreatePaymentCommand(
        bookingId,
        accountId,
        Money.of(1, "USD"),
        Money.of(1, "USD"),
        DAY,
        new Beneficiary("Ada", "DE1", "002"),
        Optional.empty());
  }

  @Test
  void anUnknownAccountIsNamed() {
    assertThat(
            assertThrows(
                UnknownAccountException.class,
                () ->
                    accountService.createTransaction(
                        new CreateTransactionCommand(
                            bookingId,
                            bookingId,
                            TransactionType.CREDIT,
                            Money.of(1, "USD"),
                            "Nobody's"))))
        .hasMessageContaining(bookingId.toString());
  }

  @Test
  void aPaymentIsSubmittedAndPublishedOnce() throws Exception {
    CreatePaymentCommand pay = payment(application.account(0));

    assertEquals(paymentService.createPayment(pay), paymentService.createPayment(pay));

    assertEquals(1, application.count("payment WHERE payment_id = '" + bookingId + "'"));
    assertEquals(
        1,
        application.count(
            "outbox WHERE category = 'event' AND payload LIKE '%" + bookingId + "%'"));
  }
}
