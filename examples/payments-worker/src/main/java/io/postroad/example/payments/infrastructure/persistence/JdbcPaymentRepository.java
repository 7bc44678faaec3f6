package io.postroad.example.payments.infrastructure.persistence;

import io.micronaut.transaction.TransactionOperations;
import io.postroad.example.payments.domain.model.Beneficiary;
import io.postroad.example.payments.domain.model.Money;
import io.postroad.example.payments.domain.model.Payment;
import io.postroad.example.payments.domain.repository.PaymentRepository;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores payments in the table payment. Thread-safe. */
@Singleton
public class JdbcPaymentRepository implements PaymentRepository {
  private static final String INSERT =
      """
      INSERT INTO payment (payment_id, debit_account_id, debit_amount, debit_currency,
        credit_amount, credit_currency, value_date, beneficiary_name, beneficiary_account,
        beneficiary_transit, fx_contract_id, status, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final TransactionOperations<Connection> tx;

  JdbcPaymentRepository(TransactionOperations<Connection> tx) {
    this.tx = tx;
  }

  @Override
  public void save(Payment payment) {
    tx.executeWrite(
        status -> {
          Sql.update(
              status.getConnection(),
              INSERT,
              payment.paymentId(),
              payment.debitAccountId(),
              payment.debitAmount().amount(),
              payment.debitAmount().currencyCode(),
              payment.creditAmount().amount(),
              payment.creditAmount().currencyCode(),
              payment.valueDate(),
              payment.beneficiary().name(),
              payment.beneficiary().accountNumber(),
              payment.beneficiary().transitNumber(),
              payment.fxContractId().orElse(null),
              payment.status().name(),
              LocalDateTime.now(ZoneOffset.UTC));
          return true;
        });
  }

  @Override
  public Optional<Payment> findById(UUID paymentId) {
    return find("SELECT * FROM payment WHERE payment_id = ?", paymentId).stream().findFirst();
  }

  @Override
  public List<Payment> findByAccountId(UUID accountId) {
    return find(
        "SELECT * FROM payment WHERE debit_account_id = ? ORDER BY value_date, created_at",
        accountId);
  }

  private List<Payment> find(String sql, UUID id) {
    return tx.executeRead(
        status -> Sql.query(status.getConnection(), sql, JdbcPaymentRepository::toDomain, id));
  }

  private static Payment toDomain(ResultSet row) throws SQLException {
    return new Payment(
        row.getObject("payment_id", UUID.class),
        row.getObject("debit_account_id", UUID.class),
        new Money(row.getBigDecimal("debit_amount"), row.getString("debit_currency")),
        new Money(row.getBigDecimal("credit_amount"), row.getString("credit_currency")),
        row.getObject("value_date", LocalDate.class),
        new Beneficiary(
            row.getString("beneficiary_name"),
            row.getString("beneficiary_account"),
            row.getString("beneficiary_transit")),
        Optional.ofNullable(row.getObject("fx_contract_id", UUID.class)),
        Payment.Status.valueOf(row.getString("status")));
  }
}
