package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** Thrown when an account lacks the money for a debit. A retry does not help. */
public final class InsufficientFundsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InsufficientFundsException(UUID accountId, Money available, Money wanted) {
    super("account %s has %s, wanted %s".formatted(accountId, available, wanted));
  }
}
