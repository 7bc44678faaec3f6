package io.postroad.example.payments.domain.model;

/** Kinds of accounts. */
public enum AccountType {
  CHECKING,
  SAVINGS
}
