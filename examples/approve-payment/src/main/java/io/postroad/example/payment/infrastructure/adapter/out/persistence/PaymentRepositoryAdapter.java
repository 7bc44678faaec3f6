package io.postroad.example.payment.infrastructure.adapter.out.persistence;

import io.postroad.example.payment.application.port.out.PaymentExistsException;
import io.postroad.example.payment.application.port.out.PaymentRepositoryPort;
import io.postroad.example.payment.domain.PaymentDomain;
import java.sql.SQLException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Repository;

/** Keeps payments by JPA. The row is written at once, so that a second one is seen here. */
@Repository
class PaymentRepositoryAdapter implements PaymentRepositoryPort {
  private static final String UNIQUE_VIOLATION = "23505";

  private final PaymentJpaRepository payments;

  PaymentRepositoryAdapter(PaymentJpaRepository payments) {
    this.payments = payments;
  }

  @Override
  public PaymentDomain save(PaymentDomain payment) {
    try {
      var unused = payments.saveAndFlush(new PaymentEntity(payment));
      return payment;
    } catch (DataIntegrityViolationException refused) {
      if (isTaken(refused)) {
        throw new PaymentExistsException(payment.getPaymentId(), refused);
      }
      throw refused;
    }
  }

  /** The key of the table is all in it that is unique; any other constraint is a fault of ours. */
  private static boolean isTaken(DataIntegrityViolationException refused) {
    return refused.getMostSpecificCause() instanceof SQLException cause
        && UNIQUE_VIOLATION.equals(cause.getSQLState());
  }
}
