package io.postroad.example.payment.domain;

/** The status of a payment. */
public enum PaymentStatus {
  PENDING,
  APPROVED
}
