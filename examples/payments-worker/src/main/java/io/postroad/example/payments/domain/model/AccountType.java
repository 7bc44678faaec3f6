package io.postroad.example.payments.domain.model;

/** The type of an account. */
public enum AccountType {
  CHECKING,
  SAVINGS
}
