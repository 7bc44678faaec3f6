package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** No limit of the account has room for the amount. Trying again does not help. */
public final class LimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LimitExceededException(UUID accountId, TransactionType type, Money wanted) {
    super("no %s limit of account %s has room for %s".formatted(type, accountId, wanted));
  }
}
