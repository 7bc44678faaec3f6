package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** Thrown when an account does not exist. */
public final class UnknownAccountException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownAccountException(UUID accountId) {
    super("there is no account " + accountId);
  }
}
