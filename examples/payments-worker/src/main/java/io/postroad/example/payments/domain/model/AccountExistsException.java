package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** Thrown when another account has the id. */
public final class AccountExistsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public AccountExistsException(UUID accountId) {
    super("account %s exists and is another one".formatted(accountId));
  }
}
