package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** Thrown when no limit of the account has room for the amount. A retry does not help. */
public final class LimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LimitExceededException(UUID accountId, TransactionType type, Money wanted) {
    super("no %s limit of account %s has room for %s".formatted(type, accountId, wanted));
  }
}
