package io.postroad.example.payments.domain.model;

/** The kinds of work under a booking id. Each is done once, and undone separately. */
public enum BookingKind {
  LIMITS,
  FX,
  TRANSACTION
}
