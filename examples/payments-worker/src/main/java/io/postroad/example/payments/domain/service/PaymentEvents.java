package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.domain.model.Payment;

/** Tells others what became of payments, in the transaction of the caller. */
public interface PaymentEvents {

  /** It was handed in. */
  void submitted(Payment payment);
}
