package io.postroad.example.payments.domain.model;

/** What is booked under an id: each of them once, and each is undone by itself. */
public enum BookingKind {
  LIMITS,
  FX,
  TRANSACTION
}
