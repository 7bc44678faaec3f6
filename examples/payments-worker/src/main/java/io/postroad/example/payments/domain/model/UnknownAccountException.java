package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** There is no such account. */
public final class UnknownAccountException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownAccountException(UUID accountId) {
    super("there is no account " + accountId);
  }
}
