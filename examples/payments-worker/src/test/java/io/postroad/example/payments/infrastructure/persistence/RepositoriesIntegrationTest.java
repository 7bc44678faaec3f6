package io.postroad.example.payments.infrastructure.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.postroad.example.payments.RunningApplication;
import io.postroad.example.payments.domain.model.AccountLimit;
import io.postroad.example.payments.domain.model.AccountLimitDefinition;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.FxContract;
import io.postroad.example.payments.domain.model.LimitBooking;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.Payment;
import io.postroad.example.payments.domain.model.TransactionType;
import io.postroad.example.payments.domain.repository.AccountLimitRepository;
import io.postroad.example.payments.domain.repository.FxContractRepository;
import io.postroad.example.payments.domain.repository.PaymentRepository;
import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Limits, contracts and payments in the database. */
class RepositoriesIntegrationTest {
  private static final LocalDate DAY = LocalDate.of(2026, 11, 30);

  private final RunningApplication application = RunningApplication.shared();
  private final AccountLimitRepository limits = application.bean(AccountLimitRepository.class);
  private final FxContractRepository contracts = application.bean(FxContractRepository.class);
  private final PaymentRepository payments = application.bean(PaymentRepository.class);
  private final UUID bookingId = UUID.randomUUID();

  private AccountLimit saved(UUID accountId, double amount) {
    AccountLimit limit =
        AccountLimit.of(
            UUID.randomUUID(),
            accountId,
            new AccountLimitDefinition(TransactionType.DEBIT, Money.of(amount, "USD")));
    limits.save(limit);
    return limit;
  }

  @Test
  void aLimitIsReturnedWithItsBookings() throws Exception {
    AccountLimit limit = saved(application.account(0), 100);
    limits.save(limit.book(Money.of(40, "USD"), bookingId));

    AccountLimit loaded = limits.findById(limit.limitId()).orElseThrow();

    assertEquals(Money.of(40, "USD"), loaded.utilizedAmount());
    assertThat(loaded.booking(bookingId))
        .contains(new LimitBooking(bookingId, Money.of(40, "USD"), LimitBooking.Status.BOOKED));
  }

  @Test
  void aReleaseIsKept() throws Exception {
    AccountLimit limit = saved(application.account(0), 100);
    limits.save(limit.book(Money.of(40, "USD"), bookingId));

    limits.save(limits.findByBookingId(bookingId).orElseThrow().release(bookingId));

    AccountLimit loaded = limits.findByBookingId(bookingId).orElseThrow();
    assertEquals(Money.zero("USD"), loaded.utilizedAmount());
    assertThat(loaded.booking(bookingId).orElseThrow().status())
        .isEqualTo(LimitBooking.Status.RELEASED);
  }

  @Test
  void limitsAreReturnedInTheOrderOfTheirCreation() throws Exception {
    UUID accountId = application.account(0);
    AccountLimit first = saved(accountId, 100);
    AccountLimit second = saved(accountId, 50);

    assertThat(limits.findByAccountId(accountId))
        .extracting(AccountLimit::limitId)
        .containsExactly(first.limitId(), second.limitId());
    assertThat(limits.findByBookingId(bookingId)).isEmpty();
  }

  @Test
  void aBookingUsesOneLimitOnly() throws Exception {
    UUID accountId = application.account(0);
    limits.save(saved(accountId, 100).book(Money.of(1, "USD"), bookingId));
    AccountLimit other = saved(accountId, 100).book(Money.of(1, "USD"), bookingId);

    assertThatThrownBy(() -> limits.save(other))
        .hasStackTraceContaining("idx_limit_booking_booking");
    assertEquals(
        Money.zero("USD"), limits.findById(other.limitId()).orElseThrow().utilizedAmount());
  }

  @Test
  void aContractIsFoundByIdAndByBooking() {
    FxContract contract =
        FxContract.book(
            bookingId, Money.of(100, "USD"), Money.of(135, "CAD"), Money.of(135, "CAD"), DAY);
    contracts.save(contract);

    assertThat(contracts.findById(contract.fxContractId())).contains(contract);
    assertThat(contracts.findByBookingId(bookingId)).contains(contract);
    contracts.save(contract.unwind());
    assertThat(contracts.findByBookingId(bookingId)).contains(contract.unwind());
  }

  @Test
  void aBookingHasOneContractOnly() {
    for (int i = 0; i < 2; i++) {
      FxContract contract =
          FxContract.book(
              bookingId, Money.of(100, "USD"), Money.of(135, "CAD"), Money.of(135, "CAD"), DAY);
      if (i == 0) {
        contracts.save(contract);
      } else {
        assertThatThrownBy(() -> contracts.save(contract))
            .hasStackTraceContaining("fx_contract_booking_id_key");
      }
    }
  }

  @Test
  void aPaymentIsFoundByIdAndByAccount() throws Exception {
    UUID accountId = application.account(0);
    Payment payment =
        Payment.submitted(
            UUID.randomUUID(),
            accountId,
            Money.of(1, "USD"),
            Money.of(1, "USD"),
            DAY,
            new Beneficiary("Ada", "DE1", "002"),
            Optional.empty());
    payments.save(payment);

    assertThat(payments.findById(payment.paymentId())).contains(payment);
    assertThat(payments.findByAccountId(accountId)).containsExactly(payment);
    assertThat(payments.findByAccountId(UUID.randomUUID())).isEmpty();
  }

  @Test
  void tablesAndMigrationsAreThoseOfTheGuide() throws Exception {
    assertThat(
            application.query(
                "SELECT version, description FROM flyway_schema_history ORDER BY installed_rank"))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .containsExactly("1 baseline", "2 process manager", "3 payments schema");
    assertThat(
            application.query(
                """
                SELECT column_name, udt_name FROM information_schema.columns
                WHERE table_name = 'account' ORDER BY ordinal_position
                """))
        .extracting(row -> String.join(" ", row))
        .containsExactly(
            "account_id uuid",
            "customer_id uuid",
            "account_number varchar",
            "currency_code varchar",
            "account_type varchar",
            "transit_number varchar",
            "limit_based bool",
            "available_balance numeric",
            "created_at timestamp");
    assertThat(
            application.query("SELECT indexname FROM pg_indexes WHERE tablename = 'transaction'"))
        .extracting(row -> row.get(0))
        .contains("idx_transaction_account", "idx_transaction_time");
  }
}
