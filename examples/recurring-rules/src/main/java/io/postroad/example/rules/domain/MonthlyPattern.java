package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Recurs every {@code intervalMonths} months on one day, counted from the month of the rule's first
 * day.
 *
 * @param dayOfMonth 1 to 31
 * @param intervalMonths 1 to 12
 * @param adjustForMonthEnd whether the last day replaces the day in shorter months; otherwise these
 *     months are skipped
 */
public record MonthlyPattern(int dayOfMonth, int intervalMonths, boolean adjustForMonthEnd)
    implements RecurrencePattern {
  private static final int MAX_DAY = 31;
  private static final int MAX_MONTHS = 12;

  public MonthlyPattern {
    dayOfMonth = Interval.checked("dayOfMonth", dayOfMonth, MAX_DAY);
    intervalMonths = Interval.checked("intervalMonths", intervalMonths, MAX_MONTHS);
  }

  @Override
  public RecurrenceType type() {
    return RecurrenceType.MONTHLY;
  }

  @Override
  public boolean matches(LocalDate start, LocalDate date) {
    long months = ChronoUnit.MONTHS.between(YearMonth.from(start), YearMonth.from(date));
    return months % intervalMonths == 0 && date.getDayOfMonth() == dayIn(date.lengthOfMonth());
  }

  /** Returns the day in a month; 0 if the month is skipped. */
  private int dayIn(int lengthOfMonth) {
    if (dayOfMonth <= lengthOfMonth) {
      return dayOfMonth;
    }
    return adjustForMonthEnd ? lengthOfMonth : 0;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", type().name());
    fields.put("dayOfMonth", dayOfMonth);
    fields.put("intervalMonths", intervalMonths);
    fields.put("adjustForMonthEnd", adjustForMonthEnd);
    return Collections.unmodifiableMap(fields);
  }

  @Override
  public <R> R fold(
      Function<DailyPattern, R> daily,
      Function<WeeklyPattern, R> weekly,
      Function<MonthlyPattern, R> monthly,
      Function<YearlyPattern, R> yearly) {
    return monthly.apply(this);
  }
}
