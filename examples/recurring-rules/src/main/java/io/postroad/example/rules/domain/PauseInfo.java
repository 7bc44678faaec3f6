package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Why a rule is paused, and until when.
 *
 * @param scheduledResumeDate the first date on which it is due again; null until somebody says so
 */
public record PauseInfo(
    @Nullable String reason, ZonedDateTime pausedAt, @Nullable LocalDate scheduledResumeDate) {
  private static final int MAX_REASON = 500;

  public PauseInfo {
    reason = CheckedText.optional("reason", reason, MAX_REASON);
  }
}
