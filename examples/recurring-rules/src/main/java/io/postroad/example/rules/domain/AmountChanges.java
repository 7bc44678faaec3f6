package io.postroad.example.rules.domain;

import java.time.LocalDate;
import java.util.Collection;
import java.util.Comparator;
import java.util.function.Predicate;

/** Finds the amount of a date. */
final class AmountChanges {
  private static final Comparator<AmountChange> LATEST_LAST =
      Comparator.comparing(AmountChange::effectiveDate)
          .thenComparing(AmountChange::createdAt)
          .thenComparing(change -> change.changeId().id());

  private AmountChanges() {}

  /**
   * Returns the amount of a one-time change on this date, else of the last permanent change, else
   * the base amount.
   */
  static Money on(LocalDate date, Money base, Collection<AmountChange> changes) {
    return changes.stream()
        .filter(once(date).or(permanent(date)))
        .max(Comparator.comparing(once(date)::test).thenComparing(LATEST_LAST))
        .map(AmountChange::newAmount)
        .orElse(base);
  }

  private static Predicate<AmountChange> once(LocalDate date) {
    return change ->
        change.type() == AmountChangeType.ONE_TIME && change.effectiveDate().equals(date);
  }

  private static Predicate<AmountChange> permanent(LocalDate date) {
    return change ->
        change.type() == AmountChangeType.PERMANENT && !change.effectiveDate().isAfter(date);
  }
}
