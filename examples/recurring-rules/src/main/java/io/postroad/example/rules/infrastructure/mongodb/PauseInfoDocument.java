package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.domain.PauseInfo;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** The stored reason and end of a pause. */
public record PauseInfoDocument(
    @Nullable String reason, ZonedDateTime pausedAt, @Nullable LocalDate scheduledResumeDate) {

  static PauseInfoDocument from(PauseInfo info) {
    return new PauseInfoDocument(info.reason(), info.pausedAt(), info.scheduledResumeDate());
  }

  PauseInfo toDomain() {
    return new PauseInfo(reason, pausedAt, scheduledResumeDate);
  }
}
