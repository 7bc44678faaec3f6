package io.postroad.example.rules.infrastructure.mongodb;

import io.postroad.example.rules.domain.DailyPattern;
import io.postroad.example.rules.domain.MonthlyPattern;
import io.postroad.example.rules.domain.RecurrencePattern;
import io.postroad.example.rules.domain.RecurrenceType;
import io.postroad.example.rules.domain.WeeklyPattern;
import io.postroad.example.rules.domain.YearlyPattern;
import java.time.DayOfWeek;
import org.jspecify.annotations.Nullable;

/**
 * A stored pattern of any type, with the fields of that type; two types have {@code dayOfMonth}.
 */
public record RecurrencePatternDocument(
    String type,
    @Nullable Integer intervalDays,
    @Nullable String dayOfWeek,
    @Nullable Integer intervalWeeks,
    @Nullable Integer dayOfMonth,
    @Nullable Integer intervalMonths,
    @Nullable Boolean adjustForMonthEnd,
    @Nullable Integer month) {

  static RecurrencePatternDocument from(RecurrencePattern pattern) {
    String type = pattern.type().name();
    return pattern.fold(
        daily ->
            new RecurrencePatternDocument(
                type, daily.intervalDays(), null, null, null, null, null, null),
        weekly ->
            new RecurrencePatternDocument(
                type,
                null,
                weekly.dayOfWeek().name(),
                weekly.intervalWeeks(),
                null,
                null,
                null,
                null),
        monthly ->
            new RecurrencePatternDocument(
                type,
                null,
                null,
                null,
                monthly.dayOfMonth(),
                monthly.intervalMonths(),
                monthly.adjustForMonthEnd(),
                null),
        yearly ->
            new RecurrencePatternDocument(
                type, null, null, null, yearly.dayOfMonth(), null, null, yearly.month()));
  }

  RecurrencePattern toDomain() {
    return switch (RecurrenceType.valueOf(type)) {
      case DAILY -> new DailyPattern(there(intervalDays));
      case WEEKLY -> new WeeklyPattern(DayOfWeek.valueOf(there(dayOfWeek)), there(intervalWeeks));
      case MONTHLY ->
          new MonthlyPattern(
              there(dayOfMonth), there(intervalMonths), Boolean.TRUE.equals(adjustForMonthEnd));
      case YEARLY -> new YearlyPattern(there(month), there(dayOfMonth));
    };
  }

  private <V> V there(@Nullable V value) {
    if (value == null) {
      throw new IllegalStateException("a stored pattern of type %s lacks a field".formatted(type));
    }
    return value;
  }
}
