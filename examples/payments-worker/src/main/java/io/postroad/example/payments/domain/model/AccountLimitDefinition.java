package io.postroad.example.payments.domain.model;

/** Defines a limit of an account: the largest amount of one type of transaction. */
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
