package io.postroad.example.rules.infrastructure.web;

import io.postroad.example.rules.domain.DailyPattern;
import io.postroad.example.rules.domain.InvalidRuleException;
import io.postroad.example.rules.domain.MonthlyPattern;
import io.postroad.example.rules.domain.RecurrencePattern;
import io.postroad.example.rules.domain.RecurrenceType;
import io.postroad.example.rules.domain.WeeklyPattern;
import io.postroad.example.rules.domain.YearlyPattern;
import java.time.DayOfWeek;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pattern in a request: its type, and the fields of that type. The default of intervals is 1. */
record PatternBody(
    @Nullable String type,
    @Nullable Integer intervalDays,
    @Nullable String dayOfWeek,
    @Nullable Integer intervalWeeks,
    @Nullable Integer dayOfMonth,
    @Nullable Integer intervalMonths,
    @Nullable Boolean adjustForMonthEnd,
    @Nullable Integer month) {

  RecurrencePattern toDomain() {
    RecurrencePattern pattern =
        switch (Fields.oneOf("type", type, RecurrenceType.class)) {
          case DAILY -> new DailyPattern(orOne(intervalDays));
          case WEEKLY ->
              new WeeklyPattern(
                  Fields.oneOf("dayOfWeek", dayOfWeek, DayOfWeek.class), orOne(intervalWeeks));
          case MONTHLY ->
              new MonthlyPattern(
                  Fields.required("dayOfMonth", dayOfMonth),
                  orOne(intervalMonths),
                  Boolean.TRUE.equals(adjustForMonthEnd));
          case YEARLY ->
              new YearlyPattern(
                  Fields.required("month", month), Fields.required("dayOfMonth", dayOfMonth));
        };
    refuseOthers(pattern);
    return pattern;
  }

  /** Refuses fields that the type does not have. */
  private void refuseOthers(RecurrencePattern pattern) {
    given()
        .forEach(
            (field, value) -> {
              if (value != null && !pattern.fields().containsKey(field)) {
                throw new InvalidRuleException(field, "is not for type " + pattern.type());
              }
            });
  }

  private Map<String, @Nullable Object> given() {
    Map<String, @Nullable Object> given = new LinkedHashMap<>();
    given.put("intervalDays", intervalDays);
    given.put("dayOfWeek", dayOfWeek);
    given.put("intervalWeeks", intervalWeeks);
    given.put("dayOfMonth", dayOfMonth);
    given.put("intervalMonths", intervalMonths);
    given.put("adjustForMonthEnd", adjustForMonthEnd);
    given.put("month", month);
    return given;
  }

  private static int orOne(@Nullable Integer interval) {
    return interval == null ? 1 : interval;
  }
}
