package io.postroad.example.payments.domain.model;

/** A limit that an account is to have: how much of one kind of transaction may be booked. */
public record AccountLimitDefinition(TransactionType transactionType, Money amount) {
  public AccountLimitDefinition {
    if (transactionType == null) {
      throw new IllegalArgumentException("transactionType is required");
    }
    if (amount == null || !amount.isPositive()) {
      throw new IllegalArgumentException("the amount of a limit must be positive");
    }
  }
}
