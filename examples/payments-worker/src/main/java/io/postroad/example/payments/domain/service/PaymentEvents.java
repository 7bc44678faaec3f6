package io.postroad.example.payments.domain.service;

import io.postroad.example.payments.domain.model.Payment;

/** Publishes events of payments, in the caller's transaction. */
public interface PaymentEvents {

  /** Publishes that a payment was submitted. */
  void submitted(Payment payment);
}
