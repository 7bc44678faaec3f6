package io.postroad.example.payments.domain.model;

import java.util.UUID;

/** Thrown when the account has other limits, or must not have limits. A retry does not help. */
public final class LimitsConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param why the reason, as the end of a sentence that begins with the account
   */
  public LimitsConflictException(UUID accountId, String why) {
    super("account %s %s".formatted(accountId, why));
  }
}
