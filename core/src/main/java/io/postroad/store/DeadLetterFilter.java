package io.postroad.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which dead letters are meant: those for which everything that is given holds.
 *
 * @param errorContains a part of the error, in the same case
 * @param diedFrom died then or later
 * @param diedBefore died earlier
 */
public record DeadLetterFilter(
    Optional<String> destination,
    Optional<String> type,
    Optional<String> key,
    Optional<String> errorContains,
    Optional<Instant> diedFrom,
    Optional<Instant> diedBefore) {

  private static final DeadLetterFilter ALL =
      new DeadLetterFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  public DeadLetterFilter {
    if (diedFrom.isPresent()
        && diedBefore.isPresent()
        && !diedFrom.get().isBefore(diedBefore.get())) {
      throw new IllegalArgumentException(
          "DeadLetterFilter.diedFrom must be before diedBefore, got %s and %s: nothing can match"
              .formatted(diedFrom.get(), diedBefore.get()));
    }
  }

  public static DeadLetterFilter all() {
    return ALL;
  }

  public DeadLetterFilter withDestination(String wanted) {
    return new DeadLetterFilter(
        Optional.of(wanted), type, key, errorContains, diedFrom, diedBefore);
  }

  public DeadLetterFilter withType(String wanted) {
    return new DeadLetterFilter(
        destination, Optional.of(wanted), key, errorContains, diedFrom, diedBefore);
  }

  public DeadLetterFilter withKey(String wanted) {
    return new DeadLetterFilter(
        destination, type, Optional.of(wanted), errorContains, diedFrom, diedBefore);
  }

  public DeadLetterFilter withErrorContaining(String part) {
    return new DeadLetterFilter(destination, type, key, Optional.of(part), diedFrom, diedBefore);
  }

  public DeadLetterFilter withDiedFrom(Instant from) {
    return new DeadLetterFilter(
        destination, type, key, errorContains, Optional.of(from), diedBefore);
  }

  public DeadLetterFilter withDiedBefore(Instant before) {
    return new DeadLetterFilter(
        destination, type, key, errorContains, diedFrom, Optional.of(before));
  }

  /** The conditions that are given. */
  @Override
  public String toString() {
    List<String> given = new ArrayList<>();
    destination.ifPresent(wanted -> given.add("destination '%s'".formatted(wanted)));
    type.ifPresent(wanted -> given.add("type '%s'".formatted(wanted)));
    key.ifPresent(wanted -> given.add("key '%s'".formatted(wanted)));
    errorContains.ifPresent(part -> given.add("error containing '%s'".formatted(part)));
    diedFrom.ifPresent(from -> given.add("died from %s on".formatted(from)));
    diedBefore.ifPresent(before -> given.add("died before %s".formatted(before)));
    return given.isEmpty() ? "all" : String.join(", ", given);
  }
}
