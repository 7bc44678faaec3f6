package io.postroad.example.payments.domain.model;

/** The direction of money, seen from the account. */
public enum TransactionType {
  DEBIT,
  CREDIT;

  public boolean isDebit() {
    return this == DEBIT;
  }

  /** Returns the type that reverses this one. */
  public TransactionType opposite() {
    return isDebit() ? CREDIT : DEBIT;
  }
}
