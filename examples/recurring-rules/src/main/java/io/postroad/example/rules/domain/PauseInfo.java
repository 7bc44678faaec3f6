package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The reason and the end of a pause.
 *
 * @param scheduledResumeDate the first date on which the rule is due again; null if it must be
 *     resumed by hand
 */
public record PauseInfo(
    @Nullable String reason, ZonedDateTime pausedAt, @Nullable LocalDate scheduledResumeDate) {
  private static final int MAX_REASON = 500;

  public PauseInfo {
    reason = CheckedText.optional("reason", reason, MAX_REASON);
  }
}
