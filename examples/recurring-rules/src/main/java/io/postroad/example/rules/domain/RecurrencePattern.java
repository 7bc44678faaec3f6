package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * On which dates a rule is due. Intervals count from the rule's first day; nothing is due before
 * it. Immutable.
 */
public sealed interface RecurrencePattern
    permits DailyPattern, WeeklyPattern, MonthlyPattern, YearlyPattern {
  /** Longer than from one 29 February to the next, also around the year 2100. */
  int LOOK_AHEAD_YEARS = 9;

  RecurrenceType type();

  /** Whether it is due on a date, which is not before {@code start}. */
  boolean matches(LocalDate start, LocalDate date);

  /** Its fields by name, as they are told to others; {@code type} is the first. */
  Map<String, Object> fields();

  <R> R fold(
      Function<DailyPattern, R> daily,
      Function<WeeklyPattern, R> weekly,
      Function<MonthlyPattern, R> monthly,
      Function<YearlyPattern, R> yearly);

  /** Whether a rule that starts on {@code start} is due on a date. */
  default boolean occursOn(LocalDate start, LocalDate date) {
    return !date.isBefore(start) && matches(start, date);
  }

  /** The dates from one to another, both included, the oldest first. */
  default List<LocalDate> between(LocalDate start, LocalDate from, LocalDate to) {
    return days(start, from, to).toList();
  }

  /** The first date that is not before {@code from}, if there is any. */
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
