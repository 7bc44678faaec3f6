package io.postroad.spring.boot.payment;

/** Where payments are kept. */
public interface PaymentRepositoryPort {
  PaymentDomain save(PaymentDomain payment);
}
