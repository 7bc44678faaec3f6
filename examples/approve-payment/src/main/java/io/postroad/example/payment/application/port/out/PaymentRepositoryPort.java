package io.postroad.example.payment.application.port.out;

import io.postroad.example.payment.domain.PaymentDomain;

/** Where payments are kept. */
public interface PaymentRepositoryPort {

  /**
   * @throws PaymentExistsException when there is one with its id
   */
  PaymentDomain save(PaymentDomain payment);
}
