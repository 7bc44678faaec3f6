package io.postroad.example.rules.domain;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Recurs every {@code intervalWeeks} weeks on one day, counted from the first such day of the rule.
 *
 * @param intervalWeeks 1 to 52
 */
public record WeeklyPattern(DayOfWeek dayOfWeek, int intervalWeeks) implements RecurrencePattern {
  private static final int MAX = 52;

  public WeeklyPattern {
    intervalWeeks = Interval.checked("intervalWeeks", intervalWeeks, MAX);
  }

  @Override
  public RecurrenceType type() {
    return RecurrenceType.WEEKLY;
  }

  @Override
  public boolean matches(LocalDate start, LocalDate date) {
    LocalDate first = start.with(TemporalAdjusters.nextOrSame(dayOfWeek));
    return date.getDayOfWeek() == dayOfWeek
        && ChronoUnit.WEEKS.between(first, date) % intervalWeeks == 0;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", type().name());
    fields.put("dayOfWeek", dayOfWeek.name());
    fields.put("intervalWeeks", intervalWeeks);
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public <R> R fold(
      Function<DailyPattern, R> daily,
      Function<WeeklyPattern, R> weekly,
      Function<MonthlyPattern, R> monthly,
      Function<YearlyPattern, R> yearly) {
    return weekly.apply(this);
  }
}
