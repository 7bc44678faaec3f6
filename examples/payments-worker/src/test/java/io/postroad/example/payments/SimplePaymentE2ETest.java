package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micronaut.core.type.Argument;
import io.postroad.example.payments.domain.model.Account;
import io.postroad.example.payments.domain.model.AccountLimit;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.FxContract;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.Payment;
import io.postroad.example.payments.domain.repository.AccountLimitRepository;
import io.postroad.example.payments.domain.repository.AccountRepository;
import io.postroad.example.payments.domain.repository.FxContractRepository;
import io.postroad.example.payments.domain.repository.PaymentRepository;
import io.postroad.example.payments.orchestration.PaymentRequest;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessStatus;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Payments through every step over Artemis, with a real database. */
class SimplePaymentE2ETest {
  private final RunningApplication application = RunningApplication.shared();
  private final AccountRepository accounts = application.bean(AccountRepository.class);
  private final AccountLimitRepository limits = application.bean(AccountLimitRepository.class);
  private final PaymentRepository payments = application.bean(PaymentRepository.class);
  private final FxContractRepository contracts = application.bean(FxContractRepository.class);
  private final UUID paymentId = UUID.randomUUID();

  private Money balance(UUID accountId) {
    return accounts.findById(accountId).orElseThrow().getAvailableBalance();
  }

  @Test
  @SuppressWarnings("unchecked")
  void shouldCompletePaymentProcess() throws Exception {
    UUID accountId = application.account(1000);
    ProcessManager<Connection> processManager =
        application.bean(Argument.of(ProcessManager.class, Connection.class));

    UUID processId =
        processManager.startProcess(
            "SimplePayment",
            paymentId.toString(),
            new PaymentRequest(
                    paymentId,
                    accountId,
                    Money.of(100, "USD"),
                    Money.of(100, "USD"),
                    false,
                    LocalDate.of(2026, 11, 30),
                    new Beneficiary("Ada", "DE1", "002"),
                    "Rent")
                .data());

    assertEquals(ProcessStatus.SUCCEEDED, application.bean(Endings.class).await(processId));
    Account updated = accounts.findById(accountId).orElseThrow();
    assertEquals(Money.of(900, "USD"), updated.getAvailableBalance());
    assertThat(updated.getTransactions())
        .last()
        .satisfies(
            transaction -> {
              assertThat(transaction.description()).isEqualTo("Rent");
              assertThat(transaction.bookingId()).contains(paymentId);
            });
    List<Payment> made = payments.findByAccountId(accountId);
    assertThat(made).extracting(Payment::paymentId).containsExactly(paymentId);
  }

  @Test
  void aPaymentInAnotherCurrencyHasAContract() throws Exception {
    UUID accountId = application.account(1000);

    assertEquals(
        ProcessStatus.SUCCEEDED,
        application.ended(application.pay(paymentId, accountId, 100, 135, "CAD")));

    Payment payment = payments.findById(paymentId).orElseThrow();
    assertThat(contracts.findByBookingId(paymentId))
        .hasValueSatisfying(
            contract -> {
              assertThat(payment.fxContractId()).contains(contract.fxContractId());
              assertThat(contract.exchangeRate()).isEqualByComparingTo(new BigDecimal("1.35"));
            });
    assertEquals(Money.of(135, "CAD"), payment.creditAmount());
    assertEquals(Money.of(900, "USD"), balance(accountId));
  }

  @Test
  void insufficientFundsAreNotRetriedAndTheContractIsUnwound() throws Exception {
    UUID accountId = application.account(50);

    assertEquals(
        ProcessStatus.COMPENSATED,
        application.ended(application.pay(paymentId, accountId, 100, 135, "CAD")));

    assertEquals(Money.of(50, "USD"), balance(accountId));
    assertThat(payments.findById(paymentId)).isEmpty();
    assertThat(contracts.findByBookingId(paymentId))
        .hasValueSatisfying(
            contract -> assertThat(contract.status()).isEqualTo(FxContract.Status.UNWOUND));
    assertThat(
            application.query(
                "SELECT count(*) FROM command WHERE type = 'CreateTransaction' AND business_key = '"
                    + paymentId
                    + "'"))
        .containsExactly(List.of("1"));
  }

  @Test
  void aRateThatMovedReleasesTheLimit() throws Exception {
    UUID accountId = application.limitedAccount(500);

    assertEquals(
        ProcessStatus.COMPENSATED,
        application.ended(application.pay(paymentId, accountId, 100, 200, "CAD")));

    assertThat(limits.findByAccountId(accountId))
        .extracting(AccountLimit::utilizedAmount)
        .containsExactly(Money.zero("USD"));
    assertEquals(Money.zero("USD"), balance(accountId));
  }

  @Test
  void aPaymentAboveTheLimitFails() throws Exception {
    UUID accountId = application.limitedAccount(150);

    assertEquals(
        ProcessStatus.SUCCEEDED,
        application.ended(application.pay(paymentId, accountId, 100, 100, "USD")));
    assertEquals(
        ProcessStatus.FAILED,
        application.ended(application.pay(UUID.randomUUID(), accountId, 100, 100, "USD")));

    assertEquals(Money.of(-100, "USD"), balance(accountId));
    assertThat(limits.findByAccountId(accountId))
        .extracting(AccountLimit::utilizedAmount)
        .containsExactly(Money.of(100, "USD"));
  }

  /** The database refuses the payment after all other steps. */
  @Test
  void aPaymentThatCannotBeStoredUndoesEveryStep() throws Exception {
    UUID accountId = application.limitedAccount(500);
    application.execute(
        "ALTER TABLE payment ADD CONSTRAINT refused CHECK (payment_id <> '%s')"
            .formatted(paymentId));
    try {
      assertEquals(
          ProcessStatus.COMPENSATED,
          application.ended(application.pay(paymentId, accountId, 100, 135, "CAD")));
    } finally {
      application.execute("ALTER TABLE payment DROP CONSTRAINT refused");
    }

    assertEquals(Money.zero("USD"), balance(accountId));
    assertThat(accounts.findById(accountId).orElseThrow().getTransactions())
        .extracting(each -> each.transactionType().name())
        .containsExactly("DEBIT", "CREDIT");
    assertThat(limits.findByAccountId(accountId))
        .extracting(AccountLimit::utilizedAmount)
        .containsExactly(Money.zero("USD"));
    assertThat(payments.findById(paymentId)).isEmpty();
    assertThat(
            application.count(
                "outbox WHERE payload LIKE '%\"paymentId\":\""
                    + paymentId
                    + "\"%' AND category = 'event'"))
        .isZero();
  }

  @Test
  void manyPaymentsAtOnceDoNotOverdrawAnAccount() throws Exception {
    UUID accountId = application.account(100);

    assertThat(sixAtOnce(accountId))
        .containsExactlyInAnyOrder(
            ProcessStatus.SUCCEEDED,
            ProcessStatus.SUCCEEDED,
            ProcessStatus.SUCCEEDED,
            ProcessStatus.COMPENSATED,
            ProcessStatus.COMPENSATED,
            ProcessStatus.COMPENSATED);

    assertEquals(Money.of(10, "USD"), balance(accountId));
    assertThat(payments.findByAccountId(accountId)).hasSize(3);
  }

  @Test
  void manyPaymentsAtOnceDoNotExceedALimit() throws Exception {
    UUID accountId = application.limitedAccount(100);

    assertThat(sixAtOnce(accountId))
        .containsExactlyInAnyOrder(
            ProcessStatus.SUCCEEDED,
            ProcessStatus.SUCCEEDED,
            ProcessStatus.SUCCEEDED,
            ProcessStatus.FAILED,
            ProcessStatus.FAILED,
            ProcessStatus.FAILED);

    assertEquals(Money.of(-90, "USD"), balance(accountId));
    assertThat(limits.findByAccountId(accountId))
        .extracting(AccountLimit::utilizedAmount)
        .containsExactly(Money.of(90, "USD"));
  }

  /** Makes six payments of 30 each at once, and returns their results. */
  private List<ProcessStatus> sixAtOnce(UUID accountId) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(6);
    try {
      List<Callable<ProcessStatus>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(
            () -> application.ended(application.pay(UUID.randomUUID(), accountId, 30, 30, "USD")));
      }
      List<ProcessStatus> ends = new ArrayList<>();
      for (Future<ProcessStatus> each : clients.invokeAll(all)) {
        ends.add(each.get());
      }
      return ends;
    } finally {
      clients.shutdownNow();
    }
  }
}
