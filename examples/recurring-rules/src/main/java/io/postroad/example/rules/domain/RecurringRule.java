package io.postroad.example.rules.domain;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A rule that moves money on recurring dates. Every change is checked and creates an event; a
 * refused change has no effect.
 *
 * <p>Not thread-safe. Of two concurrent changes of a rule the second fails when it is stored,
 * because the stored version is a newer one.
 */
public final class RecurringRule {
  private static final int MAX_AMOUNT_CHANGES = 500;
  private static final int MAX_ERROR = 500;
  private static final int MAX_YEARS_BACK = 1;
  private static final int MAX_YEARS_AHEAD = 100;

  private final RecurringRuleId id;
  private final RuleOrigin origin;
  private final Map<AmountChangeId, AmountChange> amountChanges;
  private final SortedMap<LocalDate, Execution> executions;
  private final SortedSet<LocalDate> owed;
  private final long version;
  private final ZonedDateTime createdAt;
  private final List<RuleEvent> events = new ArrayList<>();
  private RuleTerms terms;
  private RuleStatus status;
  private @Nullable PauseInfo pauseInfo;
  private LocalDate dueFrom;
  private ZonedDateTime lastModifiedAt;

  private RecurringRule(RecurringRuleSnapshot from) {
    id = from.ruleId();
    origin = new RuleOrigin(from.cashFlowId(), from.userId(), from.type(), from.startDate());
    terms =
        new RuleTerms(
            from.name(),
            from.description(),
            from.baseAmount(),
            from.categoryName(),
            from.recurrencePattern(),
            from.endDate());
    status = from.status();
    amountChanges = new LinkedHashMap<>(from.amountChanges());
    executions = new TreeMap<>(from.executions());
    pauseInfo = from.pauseInfo();
    dueFrom = from.dueFrom();
    owed = new TreeSet<>(from.owed());
    version = from.version();
    createdAt = from.createdAt();
    lastModifiedAt = from.lastModifiedAt();
  }

  /** Restores a stored rule. */
  public static RecurringRule of(RecurringRuleSnapshot snapshot) {
    return new RecurringRule(snapshot);
  }

  /**
   * Creates an active rule.
   *
   * @throws InvalidRuleException if its dates are inconsistent
   */
  public static RecurringRule create(
      RecurringRuleId id, RuleOrigin origin, RuleTerms terms, RuleClock clock) {
    LocalDate start = origin.startDate();
    LocalDate earliest = clock.today().minusYears(MAX_YEARS_BACK);
    LocalDate latest = clock.today().plusYears(MAX_YEARS_AHEAD);
    if (start.isBefore(earliest) || start.isAfter(latest)) {
      throw new InvalidRuleException(
          "startDate", "must be from %s to %s, got %s".formatted(earliest, latest, start));
    }
    checkDates(start, terms, start, latest);
    ZonedDateTime now = clock.now();
    RecurringRule rule =
        new RecurringRule(
            new RecurringRuleSnapshot(
                id,
                origin.cashFlowId(),
                origin.userId(),
                terms.name(),
                terms.description(),
                terms.baseAmount(),
                origin.type(),
                terms.categoryName(),
                terms.recurrencePattern(),
                start,
                terms.endDate(),
                RuleStatus.ACTIVE,
                Map.of(),
                new TreeMap<>(),
                null,
                start,
                new TreeSet<>(),
                0,
                now,
                now));
    rule.events.add(
        new RuleEvent.RuleCreatedEvent(
            id.id(),
            origin.cashFlowId().id(),
            origin.userId().getId(),
            terms.name().value(),
            text(terms.description()),
            terms.baseAmount(),
            origin.type(),
            terms.categoryName().name(),
            terms.recurrencePattern().fields(),
            start,
            terms.endDate(),
            now.toInstant(),
            clock.stamp()));
    return rule;
  }

  /**
   * Changes the terms. A new pattern or end applies from today on. Earlier dates that were due by
   * the old terms stay due. Other earlier dates do not become due, also if the rule had ended
   * before.
   */
  public void update(RuleTerms newTerms, RuleClock clock) {
    requireOpen("changed");
    requireCurrency("currency", newTerms.baseAmount());
    requireEffect(newTerms.baseAmount(), clock.today());
    boolean newDates =
        !newTerms.recurrencePattern().equals(terms.recurrencePattern())
            || !Objects.equals(newTerms.endDate(), terms.endDate());
    if (newDates) {
      checkDates(
          origin.startDate(),
          newTerms,
          later(origin.startDate(), clock.today()),
          clock.today().plusYears(MAX_YEARS_AHEAD));
      owed.addAll(dueBefore(clock.today()));
      dueFrom = later(dueFrom, clock.today());
    }
    terms = newTerms;
    changed(
        new RuleEvent.RuleUpdatedEvent(
            id.id(),
            terms.name().value(),
            text(terms.description()),
            terms.baseAmount(),
            terms.categoryName().name(),
            terms.recurrencePattern().fields(),
            terms.endDate(),
            clock.stamp()),
        clock);
  }

  /**
   * Returns the dates that were due before a day. In an expired pause that was not ended, these are
   * the dates since the scheduled end.
   */
  private List<LocalDate> dueBefore(LocalDate day) {
    @Nullable LocalDate scheduled = scheduledResumeDate();
    return scheduled == null
        ? dueDates(day.minusDays(1))
        : patternDates(later(dueFrom, scheduled), day.minusDays(1));
  }

  private @Nullable LocalDate scheduledResumeDate() {
    return pauseInfo == null ? null : pauseInfo.scheduledResumeDate();
  }

  /** Returns the dates of the pattern up to a date or to the end, whichever is first. */
  private List<LocalDate> patternDates(LocalDate from, LocalDate upTo) {
    @Nullable LocalDate end = terms.endDate();
    LocalDate last = end != null && end.isBefore(upTo) ? end : upTo;
    return terms.recurrencePattern().between(origin.startDate(), from, last);
  }

  /** Refuses a new base amount that would never apply because of a permanent change. */
  private void requireEffect(Money base, LocalDate today) {
    if (base.equals(terms.baseAmount())) {
      return;
    }
    for (AmountChange each : amountChanges.values()) {
      if (each.type() == AmountChangeType.PERMANENT && !each.effectiveDate().isAfter(today)) {
        throw new InvalidRuleException(
            "baseAmount",
            "does not hold any more since %s by %s; add a change or remove that one"
                .formatted(each.effectiveDate(), each.changeId().id()));
      }
    }
  }

  private static void checkDates(
      LocalDate start, RuleTerms terms, LocalDate earliestEnd, LocalDate latestEnd) {
    LocalDate end = terms.endDate();
    if (end != null && (end.isBefore(earliestEnd) || end.isAfter(latestEnd))) {
      throw new InvalidRuleException(
          "endDate", "must be from %s to %s, got %s".formatted(earliestEnd, latestEnd, end));
    }
    Optional<LocalDate> next = terms.recurrencePattern().nextFrom(start, start);
    if (next.isEmpty() || (end != null && next.get().isAfter(end))) {
      throw new InvalidRuleException(
          "recurrencePattern",
          "has no date from %s to %s".formatted(start, end == null ? "the end of time" : end));
    }
  }

  /** Replaces the amount on a date, or from it on. */
  public void changeAmount(AmountChange change, RuleClock clock) {
    requireOpen("changed");
    requireCurrency("newAmount", change.newAmount());
    LocalDate date = change.effectiveDate();
    if (date.isBefore(clock.today())) {
      throw new InvalidRuleException("effectiveDate", "must not be in the past, got " + date);
    }
    LocalDate end = terms.endDate();
    if (end != null && date.isAfter(end)) {
      throw new InvalidRuleException("effectiveDate", "must not be after the end, " + end);
    }
    if (change.type() == AmountChangeType.ONE_TIME
        && !terms.recurrencePattern().occursOn(origin.startDate(), date)) {
      throw new InvalidRuleException("effectiveDate", "is no date of the rule: " + date);
    }
    if (change.type() == AmountChangeType.ONE_TIME && isExecuted(date)) {
      throw new InvalidRuleException("effectiveDate", "was executed already: " + date);
    }
    if (amountChanges.size() >= MAX_AMOUNT_CHANGES) {
      throw new InvalidRuleException(
          "amountChanges", "are %d already; remove one first".formatted(MAX_AMOUNT_CHANGES));
    }
    if (amountChanges.putIfAbsent(change.changeId(), change) != null) {
      throw new IllegalStateException(
          "rule %s has a change %s already".formatted(id.id(), change.changeId().id()));
    }
    changed(
        new RuleEvent.AmountChangeAddedEvent(
            id.id(),
            change.changeId().id(),
            date,
            change.type(),
            change.newAmount(),
            change.reason(),
            clock.stamp()),
        clock);
  }

  private boolean isExecuted(LocalDate date) {
    @Nullable Execution execution = executions.get(date);
    return execution != null && !execution.isFailed();
  }

  /** Removes an amount change. Returns whether it existed. */
  public boolean removeAmountChange(AmountChangeId change, RuleClock clock) {
    requireOpen("changed");
    if (amountChanges.remove(change) == null) {
      return false;
    }
    changed(new RuleEvent.AmountChangeRemovedEvent(id.id(), change.id(), clock.stamp()), clock);
    return true;
  }

  /**
   * Pauses the rule. No date is due until it is resumed; then the dates before today are due again.
   */
  public void pause(
      @Nullable String reason, @Nullable LocalDate scheduledResumeDate, RuleClock clock) {
    require(RuleStatus.PAUSED, "paused");
    if (scheduledResumeDate != null
        && (!scheduledResumeDate.isAfter(clock.today())
            || scheduledResumeDate.isAfter(clock.today().plusYears(MAX_YEARS_AHEAD)))) {
      throw new InvalidRuleException(
          "scheduledResumeDate", "must be after today, got " + scheduledResumeDate);
    }
    owed.addAll(dueDates(clock.today().minusDays(1)));
    pauseInfo = new PauseInfo(reason, clock.now(), scheduledResumeDate);
    status = RuleStatus.PAUSED;
    changed(
        new RuleEvent.RulePausedEvent(id.id(), reason, scheduledResumeDate, clock.stamp()), clock);
  }

  /**
   * Resumes the rule. Dates are due from today on, or from the scheduled end of an expired pause.
   * Dates within the pause are not due.
   */
  public void resume(RuleClock clock) {
    @Nullable LocalDate scheduled = scheduledResumeDate();
    boolean isLate = scheduled != null && scheduled.isBefore(clock.today());
    resumeFrom(scheduled != null && isLate ? scheduled : clock.today(), clock);
  }

  /** Resumes the rule if that was scheduled for this date or earlier; dates since then are due. */
  public boolean resumeIfScheduled(LocalDate date, RuleClock clock) {
    @Nullable LocalDate scheduled = scheduledResumeDate();
    if (status != RuleStatus.PAUSED || scheduled == null || scheduled.isAfter(date)) {
      return false;
    }
    resumeFrom(scheduled, clock);
    return true;
  }

  private void resumeFrom(LocalDate date, RuleClock clock) {
    require(RuleStatus.ACTIVE, "resumed");
    dueFrom = later(dueFrom, date);
    pauseInfo = null;
    status = RuleStatus.ACTIVE;
    changed(new RuleEvent.RuleResumedEvent(id.id(), dueFrom, clock.stamp()), clock);
  }

  /** Renames the category. */
  public void renameCategory(CategoryName to, RuleClock clock) {
    String from = moveTo(to);
    changed(new RuleEvent.RuleCategoryRenamedEvent(id.id(), from, to.name(), clock.stamp()), clock);
  }

  /** Removes the category. */
  public void removeCategory(RuleClock clock) {
    String from = moveTo(CategoryName.UNCATEGORIZED);
    changed(
        new RuleEvent.RuleCategoryRemovedEvent(
            id.id(), from, terms.categoryName().name(), clock.stamp()),
        clock);
  }

  private String moveTo(CategoryName to) {
    if (status == RuleStatus.DELETED) {
      throw new RuleStateException(id, status, "changed");
    }
    String from = terms.categoryName().name();
    terms =
        new RuleTerms(
            terms.name(),
            terms.description(),
            terms.baseAmount(),
            to,
            terms.recurrencePattern(),
            terms.endDate());
    return from;
  }

  public void delete(RuleClock clock) {
    require(RuleStatus.DELETED, "deleted");
    status = RuleStatus.DELETED;
    pauseInfo = null;
    changed(new RuleEvent.RuleDeletedEvent(id.id(), clock.stamp()), clock);
  }

  /**
   * Returns the due dates up to a date, the oldest first: dates that were not tried yet, also from
   * before a pause or a change of pattern or end, and all failed dates.
   */
  public List<LocalDate> dueDates(LocalDate upTo) {
    if (status != RuleStatus.ACTIVE) {
      return List.of();
    }
    SortedSet<LocalDate> due = new TreeSet<>(patternDates(dueFrom, upTo));
    due.addAll(owed.headSet(upTo.plusDays(1)));
    due.removeAll(executions.keySet());
    executions.headMap(upTo.plusDays(1)).entrySet().stream()
        .filter(each -> each.getValue().isFailed())
        .forEach(each -> due.add(each.getKey()));
    return List.copyOf(due);
  }

  /** Returns whether a date is among the {@link #dueDates}. */
  public boolean isDue(LocalDate date) {
    return dueDates(date).contains(date);
  }

  /** Returns the dates that failed since a time, the oldest first. */
  public List<LocalDate> failedDates(Instant since) {
    return executions.entrySet().stream()
        .filter(each -> each.getValue().isFailed())
        .filter(each -> !each.getValue().executedAt().toInstant().isBefore(since))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the next date after another; empty if there is none or the rule is not active. */
  public Optional<LocalDate> nextDate(LocalDate after) {
    @Nullable LocalDate end = terms.endDate();
    return status == RuleStatus.ACTIVE
        ? terms
            .recurrencePattern()
            .nextFrom(origin.startDate(), later(dueFrom, after.plusDays(1)))
            .filter(next -> end == null || !next.isAfter(end))
        : Optional.empty();
  }

  public Money amountOn(LocalDate date) {
    return AmountChanges.on(date, terms.baseAmount(), amountChanges.values());
  }

  /** Records that an amount was moved for a date, whatever the amount of the rule is now. */
  public Execution succeeded(LocalDate date, CashChangeId generated, Money moved, RuleClock clock) {
    Execution execution = new Execution(ExecutionStatus.SUCCESS, clock.now(), generated, null);
    executions.put(date, execution);
    changed(
        new RuleEvent.RuleExecutedEvent(id.id(), date, moved, generated.id(), clock.stamp()),
        clock);
    return execution;
  }

  /** Records that no money was moved for a date. */
  public Execution failed(LocalDate date, String why, RuleClock clock) {
    String error = why.length() > MAX_ERROR ? why.substring(0, MAX_ERROR) : why;
    Execution execution = new Execution(ExecutionStatus.FAILED, clock.now(), null, error);
    executions.put(date, execution);
    changed(new RuleEvent.RuleExecutionFailedEvent(id.id(), date, error, clock.stamp()), clock);
    return execution;
  }

  /** Completes the rule if all its dates were executed and no later one follows. */
  public boolean completeIfOver(LocalDate date, RuleClock clock) {
    if (!status.canBecome(RuleStatus.COMPLETED)
        || nextDate(date).isPresent()
        || !dueDates(date).isEmpty()
        || executions.values().stream().anyMatch(Execution::isFailed)) {
      return false;
    }
    status = RuleStatus.COMPLETED;
    changed(new RuleEvent.RuleCompletedEvent(id.id(), clock.stamp()), clock);
    return true;
  }

  private void require(RuleStatus next, String wanted) {
    if (!status.canBecome(next)) {
      throw new RuleStateException(id, status, wanted);
    }
  }

  private void requireOpen(String wanted) {
    if (!status.isOpen()) {
      throw new RuleStateException(id, status, wanted);
    }
  }

  private void requireCurrency(String field, Money money) {
    if (!money.currency().equals(terms.baseAmount().currency())) {
      throw new InvalidRuleException(
          field, "must be in %s, as the rule is".formatted(terms.baseAmount().currency()));
    }
  }

  private void changed(RuleEvent event, RuleClock clock) {
    lastModifiedAt = clock.now();
    events.add(event);
  }

  private static LocalDate later(LocalDate one, LocalDate other) {
    return one.isAfter(other) ? one : other;
  }

  private static @Nullable String text(@Nullable Description description) {
    return description == null ? null : description.value();
  }

  public RecurringRuleId id() {
    return id;
  }

  public RuleOrigin origin() {
    return origin;
  }

  public RuleTerms terms() {
    return terms;
  }

  public long version() {
    return version;
  }

  /** Returns the events since the rule was created or loaded, in order. */
  public List<RuleEvent> events() {
    return List.copyOf(events);
  }

  private SortedSet<LocalDate> stillOwed() {
    SortedSet<LocalDate> still = new TreeSet<>(owed);
    still.removeAll(executions.keySet());
    return still;
  }

  public RecurringRuleSnapshot snapshot() {
    return new RecurringRuleSnapshot(
        id,
        origin.cashFlowId(),
        origin.userId(),
        terms.name(),
        terms.description(),
        terms.baseAmount(),
        origin.type(),
        terms.categoryName(),
        terms.recurrencePattern(),
        origin.startDate(),
        terms.endDate(),
        status,
        amountChanges,
        executions,
        pauseInfo,
        dueFrom,
        stillOwed(),
        version,
        createdAt,
        lastModifiedAt);
  }
}
