package io.postroad.micronaut.guide;

import java.util.UUID;

public class InsufficientFundsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InsufficientFundsException(UUID accountId, Money available, Money asked) {
    super("InsufficientFunds: account %s has %s, asked %s".formatted(accountId, available, asked));
  }
}
