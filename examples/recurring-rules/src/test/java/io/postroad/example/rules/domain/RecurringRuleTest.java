package io.postroad.example.rules.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules without a database. */
class RecurringRuleTest {
  private static final LocalDate START = LocalDate.of(2027, 1, 10);
  private static final RecurringRuleId ID = new RecurringRuleId("RR10000001");
  private static final Money PAID = Money.of(BigDecimal.TEN, "PLN");
  private static final CashChangeId CASH = new CashChangeId("CC10000001");

  private Instant now = Instant.parse("2027-01-05T10:30:00.123456Z");
  private final RuleClock clock = new RuleClock(() -> now);

  @Test
  void aNewRuleIsActiveAndHasAnEvent() {
    RecurringRule rule = rule(null);
    assertThat(rule.snapshot().status()).isEqualTo(RuleStatus.ACTIVE);
    assertThat(rule.snapshot().createdAt().toInstant())
        .isEqualTo(Instant.parse("2027-01-05T10:30:00.123Z"));
    assertThat(rule.events())
        .singleElement()
        .isInstanceOfSatisfying(
            RuleEvent.RuleCreatedEvent.class,
            created -> {
              assertThat(created.ruleId()).isEqualTo("RR10000001");
              assertThat(created.amount()).isEqualTo(money("8500"));
              assertThat(created.recurrencePattern())
                  .containsExactly(
                      Map.entry("type", "MONTHLY"),
                      Map.entry("dayOfMonth", 10),
                      Map.entry("intervalMonths", 1),
                      Map.entry("adjustForMonthEnd", false));
            });
  }

  /** Every allowed and every forbidden change of status. */
  @Test
  void onlyAllowedChangesOfStatusSucceed() {
    Map<RuleStatus, Map<RuleStatus, Boolean>> arrows = new EnumMap<>(RuleStatus.class);
    Map<RuleStatus, Consumer<RecurringRule>> verbs = new EnumMap<>(RuleStatus.class);
    verbs.put(RuleStatus.PAUSED, rule -> rule.pause(null, null, clock));
    verbs.put(RuleStatus.ACTIVE, rule -> rule.resume(clock));
    verbs.put(RuleStatus.DELETED, rule -> rule.delete(clock));
    verbs.put(RuleStatus.COMPLETED, this::complete);
    for (RuleStatus from : RuleStatus.values()) {
      arrows.put(from, new EnumMap<>(RuleStatus.class));
      for (RuleStatus to : RuleStatus.values()) {
        RecurringRule rule = in(from);
        try {
          Objects.requireNonNull(verbs.get(to)).accept(rule);
        } catch (RuleStateException refused) {
          assertThat(rule.events()).as("%s to %s", from, to).isEmpty();
        }
        boolean moved = rule.snapshot().status() == to && !rule.events().isEmpty();
        arrows.get(from).put(to, moved);
        assertThat(moved).as("%s to %s", from, to).isEqualTo(from.canBecome(to));
      }
    }
    assertThat(arrows)
        .containsEntry(
            RuleStatus.ACTIVE, only(RuleStatus.PAUSED, RuleStatus.COMPLETED, RuleStatus.DELETED))
        .containsEntry(RuleStatus.PAUSED, only(RuleStatus.ACTIVE, RuleStatus.DELETED))
        .containsEntry(RuleStatus.COMPLETED, only(RuleStatus.DELETED))
        .containsEntry(RuleStatus.DELETED, only());
  }

  private static Map<RuleStatus, Boolean> only(RuleStatus... next) {
    Map<RuleStatus, Boolean> all = new EnumMap<>(RuleStatus.class);
    for (RuleStatus each : RuleStatus.values()) {
      all.put(each, List.of(next).contains(each));
    }
    return all;
  }

  private RecurringRule in(RuleStatus status) {
    RecurringRule rule = rule(START);
    switch (status) {
      case ACTIVE -> {}
      case PAUSED -> rule.pause(null, null, clock);
      case COMPLETED -> complete(rule);
      case DELETED -> rule.delete(clock);
    }
    assertThat(rule.snapshot().status()).isEqualTo(status);
    return RecurringRule.of(rule.snapshot());
  }

  private void complete(RecurringRule rule) {
    if (!rule.dueDates(START).isEmpty()) {
      Execution unused = rule.succeeded(START, CASH, PAID, clock);
    }
    boolean unused = rule.completeIfOver(START, clock);
  }

  @Test
  void completedAndDeletedRulesCannotBeChanged() {
    for (RuleStatus status : List.of(RuleStatus.COMPLETED, RuleStatus.DELETED)) {
      RecurringRule rule = in(status);
      assertThatThrownBy(() -> rule.update(rule.terms(), clock))
          .isInstanceOf(RuleStateException.class);
      assertThatThrownBy(
              () -> rule.changeAmount(change(1, START, AmountChangeType.PERMANENT, "1"), clock))
          .isInstanceOf(RuleStateException.class);
      assertThat(rule.events()).isEmpty();
    }
  }

  @Test
  void aOneTimeChangePrecedesAPermanentOneOnItsDate() {
    RecurringRule rule = rule(null);
    rule.changeAmount(
        change(1, LocalDate.of(2027, 6, 10), AmountChangeType.ONE_TIME, "18500"), clock);
    rule.changeAmount(
        change(2, LocalDate.of(2027, 6, 1), AmountChangeType.PERMANENT, "9000"), clock);
    rule.changeAmount(
        change(3, LocalDate.of(2027, 7, 10), AmountChangeType.PERMANENT, "9500"), clock);
    assertThat(rule.amountOn(LocalDate.of(2027, 5, 10))).isEqualTo(money("8500"));
    assertThat(rule.amountOn(LocalDate.of(2027, 6, 10))).isEqualTo(money("18500"));
    assertThat(rule.amountOn(LocalDate.of(2027, 7, 9))).isEqualTo(money("9000"));
    assertThat(rule.amountOn(LocalDate.of(2027, 7, 10))).isEqualTo(money("9500"));
    assertThat(rule.removeAmountChange(new AmountChangeId("AC10000003"), clock)).isTrue();
    assertThat(rule.removeAmountChange(new AmountChangeId("AC10000003"), clock)).isFalse();
    assertThat(rule.amountOn(LocalDate.of(2027, 7, 10))).isEqualTo(money("9000"));
  }

  @Test
  void changesWithoutEffectAreRefused() {
    RecurringRule rule = rule(LocalDate.of(2027, 12, 31));
    refused(
        "effectiveDate",
        () ->
            rule.changeAmount(
                change(1, LocalDate.of(2027, 6, 11), AmountChangeType.ONE_TIME, "1"), clock));
    refused(
        "effectiveDate",
        () ->
            rule.changeAmount(
                change(1, LocalDate.of(2027, 1, 4), AmountChangeType.PERMANENT, "1"), clock));
    refused(
        "effectiveDate",
        () ->
            rule.changeAmount(
                change(1, LocalDate.of(2028, 1, 1), AmountChangeType.PERMANENT, "1"), clock));
    refused(
        "newAmount",
        () ->
            rule.changeAmount(
                new AmountChange(
                    new AmountChangeId("AC10000001"),
                    LocalDate.of(2027, 6, 10),
                    AmountChangeType.PERMANENT,
                    Money.of(BigDecimal.ONE, "EUR"),
                    null,
                    clock.now()),
                clock));
    assertThat(rule.snapshot().amountChanges()).isEmpty();
  }

  @Test
  void missedDatesAreDueUntilTheyAreExecuted() {
    RecurringRule rule = rule(null);
    LocalDate march = LocalDate.of(2027, 3, 15);
    assertThat(rule.dueDates(LocalDate.of(2027, 1, 9))).isEmpty();
    assertThat(rule.dueDates(march))
        .containsExactly(START, LocalDate.of(2027, 2, 10), LocalDate.of(2027, 3, 10));
    Execution first = rule.succeeded(START, CASH, PAID, clock);
    Execution second = rule.failed(LocalDate.of(2027, 2, 10), "away", clock);
    assertThat(first.isFailed()).isFalse();
    assertThat(second.errorMessage()).isEqualTo("away");
    assertThat(rule.dueDates(march))
        .as("also a failed date")
        .containsExactly(LocalDate.of(2027, 2, 10), LocalDate.of(2027, 3, 10));
    assertThat(rule.isDue(START)).isFalse();
    assertThat(rule.isDue(LocalDate.of(2027, 2, 10))).isTrue();
    assertThat(rule.isDue(LocalDate.of(2027, 3, 10))).isTrue();
    assertThat(rule.isDue(LocalDate.of(2027, 3, 11))).isFalse();
    assertThat(rule.failedDates(now.minusSeconds(60))).containsExactly(LocalDate.of(2027, 2, 10));
    assertThat(rule.failedDates(now.plusSeconds(60))).isEmpty();
  }

  @Test
  void datesInAPauseAreNotDueAndMissedDatesAfterItAre() {
    RecurringRule rule = rule(null);
    now = Instant.parse("2027-02-01T09:00:00Z");
    rule.pause("unpaid leave", LocalDate.of(2027, 4, 1), clock);
    assertThat(rule.dueDates(LocalDate.of(2027, 5, 31))).isEmpty();
    assertThat(rule.nextDate(LocalDate.of(2027, 2, 1))).isEmpty();
    assertThat(rule.resumeIfScheduled(LocalDate.of(2027, 3, 31), clock)).isFalse();
    // The application was down in April: the rule has been due since the first.
    now = Instant.parse("2027-05-20T06:00:00Z");
    assertThat(rule.resumeIfScheduled(LocalDate.of(2027, 5, 20), clock)).isTrue();
    assertThat(rule.snapshot().pauseInfo()).isNull();
    assertThat(rule.dueDates(LocalDate.of(2027, 5, 20)))
        .as("the tenth of January was due before the pause")
        .containsExactly(START, LocalDate.of(2027, 4, 10), LocalDate.of(2027, 5, 10));
  }

  @Test
  void aRuleResumedByHandIsDueFromThatDayOn() {
    RecurringRule rule = rule(null);
    rule.pause(null, null, clock);
    assertThat(rule.resumeIfScheduled(LocalDate.of(2099, 1, 1), clock)).isFalse();
    now = Instant.parse("2027-03-10T05:00:00Z");
    rule.resume(clock);
    assertThat(rule.dueDates(LocalDate.of(2027, 4, 10)))
        .containsExactly(LocalDate.of(2027, 3, 10), LocalDate.of(2027, 4, 10));
  }

  @Test
  void aPauseCannotEndBeforeItBegins() {
    RecurringRule rule = rule(null);
    refused("scheduledResumeDate", () -> rule.pause(null, LocalDate.of(2027, 1, 5), clock));
    assertThat(rule.snapshot().status()).isEqualTo(RuleStatus.ACTIVE);
  }

  @Test
  void aRuleIsCompletedWhenAllItsDatesWereExecuted() {
    RecurringRule rule = rule(LocalDate.of(2027, 2, 20));
    LocalDate second = LocalDate.of(2027, 2, 10);
    Execution first = rule.failed(START, "away", clock);
    assertThat(first.isFailed()).isTrue();
    assertThat(rule.completeIfOver(START, clock)).isFalse();
    Execution last = rule.succeeded(second, CASH, PAID, clock);
    assertThat(last.isFailed()).isFalse();
    assertThat(rule.completeIfOver(second, clock)).as("one date has failed").isFalse();
    Execution recovered = rule.succeeded(START, CASH, PAID, clock);
    assertThat(recovered.isFailed()).isFalse();
    assertThat(rule.completeIfOver(second, clock)).isTrue();
    assertThat(rule.snapshot().status()).isEqualTo(RuleStatus.COMPLETED);
  }

  @Test
  void aNewPatternAppliesFromTodayOnAndEarlierDueDatesStayDue() {
    RecurringRule rule = rule(null);
    Execution first = rule.succeeded(START, CASH, PAID, clock);
    assertThat(first.isFailed()).isFalse();
    now = Instant.parse("2027-03-05T12:00:00Z");
    rule.update(terms(new DailyPattern(1), null), clock);
    assertThat(RecurringRule.of(rule.snapshot()).dueDates(LocalDate.of(2027, 3, 6)))
        .containsExactly(
            LocalDate.of(2027, 2, 10), LocalDate.of(2027, 3, 5), LocalDate.of(2027, 3, 6));
  }

  @Test
  void dueDatesBeforeAPauseAreStillDueAfterIt() {
    RecurringRule rule = rule(null);
    now = Instant.parse("2027-02-15T09:00:00Z");
    rule.pause(null, null, clock);
    assertThat(rule.dueDates(LocalDate.of(2027, 2, 15))).isEmpty();
    now = Instant.parse("2027-04-01T09:00:00Z");
    rule.resume(clock);
    assertThat(rule.dueDates(LocalDate.of(2027, 4, 10)))
        .containsExactly(START, LocalDate.of(2027, 2, 10), LocalDate.of(2027, 4, 10));
    Execution unused = rule.succeeded(START, CASH, PAID, clock);
    assertThat(rule.snapshot().owed()).containsExactly(LocalDate.of(2027, 2, 10));
  }

  @Test
  void aRuleResumedAfterTheScheduledDayIsDueSinceThatDay() {
    RecurringRule rule = rule(null);
    rule.pause(null, LocalDate.of(2027, 3, 1), clock);
    now = Instant.parse("2027-03-20T09:00:00Z");
    rule.resume(clock);
    assertThat(rule.dueDates(LocalDate.of(2027, 3, 20))).containsExactly(LocalDate.of(2027, 3, 10));
  }

  @Test
  void daysAfterThePassedEndAreNotDueWhenTheEndIsMoved() {
    RecurringRule rule = create(START, START.plusDays(2), new DailyPattern(1));
    Execution first = rule.failed(START, "away", clock);
    Execution second = rule.succeeded(START.plusDays(1), CASH, PAID, clock);
    assertThat(first.isFailed()).isTrue();
    assertThat(second.isFailed()).isFalse();
    now = Instant.parse("2027-02-20T12:00:00Z");
    assertThat(rule.completeIfOver(LocalDate.of(2027, 2, 20), clock)).isFalse();
    rule.update(terms(new DailyPattern(1), LocalDate.of(2027, 12, 31)), clock);
    assertThat(RecurringRule.of(rule.snapshot()).dueDates(LocalDate.of(2027, 2, 21)))
        .as("failed and missed dates before the old end, and from today on")
        .containsExactly(
            START, START.plusDays(2), LocalDate.of(2027, 2, 20), LocalDate.of(2027, 2, 21));
  }

  @Test
  void movingAFutureEndLosesNoDay() {
    RecurringRule rule = rule(LocalDate.of(2027, 12, 31));
    Execution first = rule.succeeded(START, CASH, PAID, clock);
    assertThat(first.isFailed()).isFalse();
    now = Instant.parse("2027-03-10T12:00:00Z");
    rule.update(terms(new MonthlyPattern(10, 1, false), LocalDate.of(2027, 4, 30)), clock);
    assertThat(RecurringRule.of(rule.snapshot()).dueDates(LocalDate.of(2027, 6, 1)))
        .containsExactly(
            LocalDate.of(2027, 2, 10), LocalDate.of(2027, 3, 10), LocalDate.of(2027, 4, 10));
  }

  @Test
  void aNewPatternKeepsTheDaysSinceAMissedScheduledResume() {
    RecurringRule rule = rule(null);
    now = Instant.parse("2027-02-01T09:00:00Z");
    rule.pause(null, LocalDate.of(2027, 4, 1), clock);
    now = Instant.parse("2027-05-20T09:00:00Z");
    rule.update(terms(new DailyPattern(1), null), clock);
    RecurringRule stored = RecurringRule.of(rule.snapshot());
    assertThat(stored.dueDates(LocalDate.of(2027, 5, 20))).as("still paused").isEmpty();
    assertThat(stored.resumeIfScheduled(LocalDate.of(2027, 5, 21), clock)).isTrue();
    assertThat(stored.dueDates(LocalDate.of(2027, 5, 21)))
        .as("before the pause, since the scheduled day under the old pattern, under the new one")
        .containsExactly(
            START,
            LocalDate.of(2027, 4, 10),
            LocalDate.of(2027, 5, 10),
            LocalDate.of(2027, 5, 20),
            LocalDate.of(2027, 5, 21));
  }

  @Test
  void aNewEndMakesNoDayDueAfterThePassedEndOfAPausedRule() {
    RecurringRule rule = rule(LocalDate.of(2027, 4, 30));
    now = Instant.parse("2027-02-01T09:00:00Z");
    rule.pause(null, LocalDate.of(2027, 3, 1), clock);
    now = Instant.parse("2027-06-05T09:00:00Z");
    rule.update(terms(new MonthlyPattern(10, 1, false), null), clock);
    rule.resume(clock);
    assertThat(rule.dueDates(LocalDate.of(2027, 6, 10)))
        .as("not the tenth of May")
        .containsExactly(
            START, LocalDate.of(2027, 3, 10), LocalDate.of(2027, 4, 10), LocalDate.of(2027, 6, 10));
  }

  @Test
  void aNewPatternMakesNoDateOfAContinuingPauseDue() {
    RecurringRule rule = rule(null);
    rule.pause(null, LocalDate.of(2027, 3, 1), clock);
    now = Instant.parse("2027-02-15T09:00:00Z");
    rule.update(terms(new MonthlyPattern(20, 1, false), null), clock);
    now = Instant.parse("2027-03-25T09:00:00Z");
    rule.resume(clock);
    assertThat(rule.dueDates(LocalDate.of(2027, 3, 25))).containsExactly(LocalDate.of(2027, 3, 20));
  }

  @Test
  void inconsistentDatesAreRefused() {
    refused("endDate", () -> rule(START.minusDays(1)));
    refused(
        "recurrencePattern",
        () ->
            create(START.plusDays(1), LocalDate.of(2027, 2, 9), new MonthlyPattern(10, 1, false)));
    refused(
        "recurrencePattern",
        () -> create(LocalDate.of(2027, 2, 1), null, new MonthlyPattern(30, 12, false)));
    refused("startDate", () -> create(LocalDate.of(2026, 1, 4), null, new DailyPattern(1)));
    refused("startDate", () -> create(LocalDate.of(2227, 1, 4), null, new DailyPattern(1)));
  }

  @Test
  void twoEventsOfOneMillisecondHaveDifferentTimestamps() {
    RecurringRule rule = rule(null);
    rule.pause(null, null, clock);
    rule.resume(clock);
    rule.pause(null, null, clock);
    assertThat(rule.events()).extracting(RuleEvent::occurredAt).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void amountsOfTheSameValueAreEqual() {
    assertThat(money("8500")).isEqualTo(money("8500.0000"));
    assertThat(money("8.5E+3").amount().toString()).isEqualTo("8500.00");
    assertThat(money("0.1234").amount().toString()).isEqualTo("0.1234");
  }

  private static void refused(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InvalidRuleException.class, invalid -> assertThat(invalid.getField()).isEqualTo(field));
  }

  private RecurringRule rule(@Nullable LocalDate end) {
    return create(START, end, new MonthlyPattern(10, 1, false));
  }

  private RecurringRule create(
      LocalDate start, @Nullable LocalDate end, RecurrencePattern pattern) {
    return RecurringRule.create(
        ID,
        new RuleOrigin(new CashFlowId("CF10000001"), UserId.of("U10000001"), Type.INFLOW, start),
        terms(pattern, end),
        clock);
  }

  private static RuleTerms terms(RecurrencePattern pattern, @Nullable LocalDate end) {
    return new RuleTerms(
        new Name("Salary"), null, money("8500"), new CategoryName("Salary"), pattern, end);
  }

  private static AmountChange change(int n, LocalDate date, AmountChangeType type, String amount) {
    return new AmountChange(
        new AmountChangeId("AC1000000" + n),
        date,
        type,
        money(amount),
        null,
        Instant.EPOCH.atZone(ZoneOffset.UTC));
  }

  private static Money money(String amount) {
    return Money.of(new BigDecimal(amount), "PLN");
  }
}
