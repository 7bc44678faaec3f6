package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** The account has other limits, or is to have none. Trying again does not help. */
public final class LimitsConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param why what the account is or has, after its name
   */
  public LimitsConflictException(UUID accountId, String why) {
    super("account %s %s".formatted(accountId, why));
  }
}
