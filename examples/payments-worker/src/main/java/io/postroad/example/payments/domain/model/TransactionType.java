package io.postroad.example.payments.domain.model;

/** Which way money goes, seen from the account. */
public enum TransactionType {
  DEBIT,
  CREDIT;

  public boolean isDebit() {
    return this == DEBIT;
  }

  /** What undoes it. */
  public TransactionType opposite() {
    return isDebit() ? CREDIT : DEBIT;
  }
}
