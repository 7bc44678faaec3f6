package io.postroad.example.payment.domain;

/** Of a payment. */
public enum PaymentStatus {
  PENDING,
  APPROVED
}
