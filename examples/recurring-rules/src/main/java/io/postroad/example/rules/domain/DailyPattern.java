package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Recurs every {@code intervalDays} days.
 *
 * @param intervalDays 1 to 365
 */
public record DailyPattern(int intervalDays) implements RecurrencePattern {
  private static final int MAX = 365;

  public DailyPattern {
    intervalDays = Interval.checked("intervalDays", intervalDays, MAX);
  }

  @Override
  public RecurrenceType type() {
    return RecurrenceType.DAILY;
  }

  @Override
  public boolean matches(LocalDate start, LocalDate date) {
    return ChronoUnit.DAYS.between(start, date) % intervalDays == 0;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", type().name());
    fields.put("intervalDays", intervalDays);
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public <R> R fold(
      Function<DailyPattern, R> daily,
      Function<WeeklyPattern, R> weekly,
      Function<MonthlyPattern, R> monthly,
      Function<YearlyPattern, R> yearly) {
    return daily.apply(this);
  }
}
