package io.postroad.example.payment.application.port.out;

import io.postroad.example.payment.domain.PaymentDomain;

/** Stores payments. */
public interface PaymentRepositoryPort {

  /**
   * Stores a payment.
   *
   * @throws PaymentExistsException if a payment has this id
   */
  PaymentDomain save(PaymentDomain payment);
}
