package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.time.Month;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Recurs once a year; in years without 29 February, the 28th replaces it.
 *
 * @param month 1 to 12
 * @param dayOfMonth 1 to the length of the month in a leap year
 */
public record YearlyPattern(int month, int dayOfMonth) implements RecurrencePattern {
  private static final int MAX_MONTH = 12;

  public YearlyPattern {
    month = Interval.checked("month", month, MAX_MONTH);
    dayOfMonth = Interval.checked("dayOfMonth", dayOfMonth, Month.of(month).maxLength());
  }

  @Override
  public RecurrenceType type() {
    return RecurrenceType.YEARLY;
  }

  @Override
  public boolean matches(LocalDate start, LocalDate date) {
    return date.getMonthValue() == month
        && date.getDayOfMonth() == Math.min(dayOfMonth, date.lengthOfMonth());
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", type().name());
    fields.put("month", month);
    fields.put("dayOfMonth", dayOfMonth);
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public <R> R fold(
      Function<DailyPattern, R> daily,
      Function<WeeklyPattern, R> weekly,
      Function<MonthlyPattern, R> monthly,
      Function<YearlyPattern, R> yearly) {
    return yearly.apply(this);
  }
}
