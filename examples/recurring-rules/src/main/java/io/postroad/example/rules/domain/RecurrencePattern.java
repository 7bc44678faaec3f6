package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The dates on which a rule is due. Intervals count from the rule's first day; no earlier date is
 * due. Immutable.
 */
public sealed interface RecurrencePattern
    permits DailyPattern, WeeklyPattern, MonthlyPattern, YearlyPattern {
  /** Longer than from one 29 February to the next, also around the year 2100. */
  int LOOK_AHEAD_YEARS = 9;

  RecurrenceType type();

  /** Returns whether a date is due, which is not before {@code start}. */
  boolean matches(LocalDate start, LocalDate date);

  /** Returns the fields by name, as they are published; {@code type} is the first. */
  Map<String, Object> fields();

  <R> R fold(
      Function<DailyPattern, R> daily,
      Function<WeeklyPattern, R> weekly,
      Function<MonthlyPattern, R> monthly,
      Function<YearlyPattern, R> yearly);

  /** Returns whether a rule that starts on {@code start} is due on a date. */
  default boolean occursOn(LocalDate start, LocalDate date) {
    return !date.isBefore(start) && matches(start, date);
  }

  /** Returns the dates of a period with both ends, the oldest first. */
  default List<LocalDate> between(LocalDate start, LocalDate from, LocalDate to) {
    return days(start, from, to).toList();
  }

  /** Returns the first date that is not before {@code from}; empty if there is none. */
  default Optional<LocalDate> nextFrom(LocalDate start, LocalDate from) {
    LocalDate first = from.isBefore(start) ? start : from;
    return days(start, first, first.plusYears(LOOK_AHEAD_YEARS)).findFirst();
  }

  private Stream<LocalDate> days(LocalDate start, LocalDate from, LocalDate to) {
    LocalDate first = from.isBefore(start) ? start : from;
    return to.isBefore(first)
        ? Stream.empty()
        : first.datesUntil(to.plusDays(1)).filter(date -> matches(start, date));
  }
}
