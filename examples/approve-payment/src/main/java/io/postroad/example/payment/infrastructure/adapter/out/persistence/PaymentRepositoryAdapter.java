package io.postroad.example.payment.infrastructure.adapter.out.persistence;

import io.postroad.example.payment.application.port.out.PaymentExistsException;
import io.postroad.example.payment.application.port.out.PaymentRepositoryPort;
import io.postroad.example.payment.domain.PaymentDomain;
import java.sql.SQLException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Repository;

/** Stores payments with JPA. Writes the row at once, so that a duplicate id fails here. */
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

  /**
   * Returns whether the id is taken. The table has no other unique key; any other constraint is a
   * bug.
   */
  private static boolean isTaken(DataIntegrityViolationException refused) {
    return refused.getMostSpecificCause() instanceof SQLException cause
        && UNIQUE_VIOLATION.equals(cause.getSQLState());
  }
}
