package io.postroad.example.payment.infrastructure.adapter.out.persistence;

import io.postroad.example.payment.application.port.out.PaymentExistsException;
import io.postroad.example.payment.application.port.out.PaymentRepositoryPort;
import io.postroad.example.payment.domain.PaymentDomain;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Repository;

/** Keeps payments by JPA. The row is written at once, so that a second one is seen here. */
@Repository
class PaymentRepositoryAdapter implements PaymentRepositoryPort {
  private final PaymentJpaRepository payments;

  PaymentRepositoryAdapter(PaymentJpaRepository payments) {
    this.payments = payments;
  }

  @Override
  public PaymentDomain save(PaymentDomain payment) {
    try {
      var unused = payments.saveAndFlush(new PaymentEntity(payment));
      return payment;
    } catch (DataIntegrityViolationException taken) {
      throw new PaymentExistsException(payment.getPaymentId(), taken);
    }
  }
}
