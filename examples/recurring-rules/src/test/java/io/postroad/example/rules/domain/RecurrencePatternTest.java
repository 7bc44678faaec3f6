package io.postroad.example.rules.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The due dates of patterns. */
class RecurrencePatternTest {
  private static final LocalDate JAN_31 = LocalDate.of(2027, 1, 31);

  @Test
  void dailyIntervalsCountFromTheStart() {
    assertThat(dates(new DailyPattern(10), LocalDate.of(2027, 1, 5), LocalDate.of(2027, 2, 10)))
        .containsExactly("2027-01-05", "2027-01-15", "2027-01-25", "2027-02-04");
  }

  @Test
  void weeklyIntervalsCountFromTheFirstSuchDay() {
    // A Wednesday; the first Monday is the 11th.
    LocalDate start = LocalDate.of(2027, 1, 6);
    assertThat(dates(new WeeklyPattern(DayOfWeek.MONDAY, 2), start, start.plusWeeks(6)))
        .containsExactly("2027-01-11", "2027-01-25", "2027-02-08");
  }

  @Test
  void monthlyWithAdjustmentFallsOnTheLastDayOfShorterMonths() {
    assertThat(dates(new MonthlyPattern(31, 1, true), JAN_31, LocalDate.of(2027, 5, 31)))
        .containsExactly("2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31");
    LocalDate leap = LocalDate.of(2028, 1, 30);
    assertThat(dates(new MonthlyPattern(30, 1, true), leap, LocalDate.of(2028, 3, 31)))
        .containsExactly("2028-01-30", "2028-02-29", "2028-03-30");
  }

  @Test
  void monthlyWithoutAdjustmentSkipsShorterMonths() {
    assertThat(dates(new MonthlyPattern(31, 1, false), JAN_31, LocalDate.of(2027, 5, 31)))
        .containsExactly("2027-01-31", "2027-03-31", "2027-05-31");
  }

  @Test
  void monthlyIntervalsCountFromTheMonthOfTheStart() {
    LocalDate start = LocalDate.of(2027, 1, 15);
    assertThat(dates(new MonthlyPattern(10, 2, false), start, LocalDate.of(2027, 7, 31)))
        .containsExactly("2027-03-10", "2027-05-10", "2027-07-10");
    assertThat(dates(new MonthlyPattern(20, 2, false), start, LocalDate.of(2027, 5, 31)))
        .containsExactly("2027-01-20", "2027-03-20", "2027-05-20");
  }

  @Test
  void theTwentyNinthOfFebruaryIsTheTwentyEighthInOtherYears() {
    assertThat(
            dates(new YearlyPattern(2, 29), LocalDate.of(2027, 1, 1), LocalDate.of(2032, 12, 31)))
        .containsExactly(
            "2027-02-28", "2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29");
  }

  @Test
  void nothingIsDueBeforeTheStart() {
    LocalDate start = LocalDate.of(2027, 6, 16);
    assertThat(dates(new YearlyPattern(6, 15), start, LocalDate.of(2028, 12, 31)))
        .containsExactly("2028-06-15");
    assertThat(new DailyPattern(1).occursOn(start, start.minusDays(1))).isFalse();
    assertThat(new DailyPattern(1).between(start, start.minusDays(5), start))
        .containsExactly(start);
  }

  @Test
  void theNextDateIsFoundAcrossTheLongestGap() {
    MonthlyPattern leapDays = new MonthlyPattern(29, 12, false);
    LocalDate start = LocalDate.of(2096, 2, 1);
    assertThat(leapDays.nextFrom(start, LocalDate.of(2096, 3, 1)))
        .contains(LocalDate.of(2104, 2, 29));
    assertThat(new MonthlyPattern(30, 12, false).nextFrom(start, start)).isEmpty();
  }

  @Test
  void numbersOutsideTheirRangeAreRefusedByName() {
    assertThatThrownBy(() -> new DailyPattern(0))
        .hasMessage("intervalDays must be from 1 to 365, got 0");
    assertThatThrownBy(() -> new WeeklyPattern(DayOfWeek.MONDAY, 53))
        .hasMessageContaining("intervalWeeks");
    assertThatThrownBy(() -> new MonthlyPattern(32, 1, true)).hasMessageContaining("dayOfMonth");
    assertThatThrownBy(() -> new MonthlyPattern(1, 13, true))
        .hasMessageContaining("intervalMonths");
    assertThatThrownBy(() -> new YearlyPattern(13, 1)).hasMessageContaining("month");
    assertThatThrownBy(() -> new YearlyPattern(4, 31))
        .hasMessage("dayOfMonth must be from 1 to 30, got 31");
  }

  private static List<String> dates(RecurrencePattern pattern, LocalDate start, LocalDate to) {
    return pattern.between(start, start, to).stream().map(LocalDate::toString).toList();
  }
}
