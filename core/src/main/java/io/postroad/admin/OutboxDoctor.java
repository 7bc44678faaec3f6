package io.postroad.admin;

import io.postroad.message.PostroadException;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.BlockedSummary;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Finding;
import io.postroad.store.Pause;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds problems of an outbox, with their causes and remedies: lag, dead letters of the last hour,
 * blocked keys, destinations that are paused or down, clock skew, and the findings of the store
 * itself knows, {@link OutboxStore#examine}.
 *
 * <p>Safe to use from many threads, on any node, with or without a relay. Reads only; its cost does
 * not grow with the number of messages stored.
 */
public final class OutboxDoctor {
  private static final Duration RECENT = Duration.ofHours(1);
  private static final int COUNTED = 1_000;

  private final OutboxStore<?> store;
  private final Limits limits;
  private final InstantSource clock;

  /**
   * From when on something is a finding.
   *
   * @param lag how long a message may be due; 1 min
   * @param skew how far this node's clock may be from the database's; 5 s
   */
  public record Limits(Duration lag, Duration skew) {
    public static Limits defaults() {
      return new Limits(Duration.ofMinutes(1), Duration.ofSeconds(5));
    }
  }

  private OutboxDoctor(OutboxStore<?> store, Limits limits, InstantSource clock) {
    this.store = store;
    this.limits = limits;
    this.clock = clock;
  }

  public static OutboxDoctor of(OutboxStore<?> store) {
    return of(store, Limits.defaults());
  }

  public static OutboxDoctor of(OutboxStore<?> store, Limits limits) {
    return of(store, limits, InstantSource.system());
  }

  /**
   * @param clock this node's
   */
  public static OutboxDoctor of(OutboxStore<?> store, Limits limits, InstantSource clock) {
    return new OutboxDoctor(store, limits, clock);
  }

  /** Returns the findings, problems first; empty when there are none. */
  public List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    try {
      lag().ifPresent(findings::add);
      deadLetters().ifPresent(findings::add);
      blockedKeys().ifPresent(findings::add);
      destinations(findings);
      clockSkew().ifPresent(findings::add);
      findings.addAll(store.examine());
    } catch (PostroadException failed) {
      findings.add(
          Finding.problem(
              "store",
              "store '%s' cannot be looked into: %s".formatted(store.name(), failed.getMessage()),
              "mend what the text says; what else is wrong is not known until then"));
    }
    return findings.stream()
        .sorted((one, other) -> other.severity().compareTo(one.severity()))
        .toList();
  }

  private Optional<Finding> lag() {
    Backlog backlog = store.backlog();
    return backlog.lag().compareTo(limits.lag()) <= 0
        ? Optional.empty()
        : Optional.of(
            Finding.problem(
                "lag",
                "the longest due message has been due for %s (%d messages wait)"
                    .formatted(seconds(backlog.lag()), backlog.pending()),
                "look whether a relay runs and what it logs: 'no relay', 'broker down' and 'too"
                    + " slow' all look like this"));
  }

  private Optional<Finding> deadLetters() {
    Instant since = store.now().minus(RECENT);
    List<DeadLetter> recent =
        store
            .deadLetters()
            .list(DeadLetterFilter.all().withDiedFrom(since), Optional.empty(), COUNTED);
    if (recent.isEmpty()) {
      return Optional.empty();
    }
    DeadLetter last = recent.get(recent.size() - 1);
    return Optional.of(
        Finding.warning(
            "dead-letters",
            "%d%s message(s) died within the last hour; one of them is %s to '%s': %s"
                .formatted(
                    recent.size(),
                    recent.size() == COUNTED ? " or more" : "",
                    last.id(),
                    last.message().destination(),
                    last.error()),
            "mend the cause, then OutboxAdmin.replayAll, or discard them"));
  }

  private Optional<Finding> blockedKeys() {
    BlockedSummary blocked =
        store instanceof OrderedStore<?> ordered
            ? ordered.blockedKeys().summary()
            : BlockedSummary.NONE;
    return blocked.keys() == 0
        ? Optional.empty()
        : Optional.of(
            Finding.problem(
                "parked-keys",
                "%d key(s) with %d message(s) wait behind dead letters, the oldest for %s"
                    .formatted(blocked.keys(), blocked.messages(), seconds(blocked.oldest())),
                "OutboxAdmin.blockedKeys lists them with their errors; replay, edit, skip or"
                    + " discard the dead letters that block them"));
  }

  private void destinations(List<Finding> findings) {
    Map<String, BlockedDestination> waiting = new LinkedHashMap<>();
    store.blocked().forEach(aside -> waiting.put(aside.destination(), aside));
    for (Pause pause : store.pauses().list()) {
      BlockedDestination aside = waiting.remove(pause.destination());
      findings.add(
          Finding.warning(
              "destination-paused",
              "destination '%s' is paused since %s by %s (%s); %d message(s) wait for it"
                  .formatted(
                      pause.destination(),
                      pause.since(),
                      pause.by(),
                      pause.reason(),
                      aside == null ? 0 : aside.messages()),
              "OutboxAdmin.resume when it may go on"));
    }
    for (BlockedDestination aside : waiting.values()) {
      findings.add(
          Finding.problem(
              "destination-down",
              "%d message(s) wait for destination '%s', which is down or has just come back,"
                      .formatted(aside.messages(), aside.destination())
                  + " the first for %s or longer".formatted(seconds(aside.oldest())),
              "look at the destination; relays try it and go on by themselves when it answers"));
    }
  }

  private static Duration seconds(Duration duration) {
    return duration.plusMillis(500).truncatedTo(ChronoUnit.SECONDS);
  }

  private Optional<Finding> clockSkew() {
    Duration ahead = Duration.between(store.now(), clock.instant());
    return ahead.abs().compareTo(limits.skew()) <= 0
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                "clock-skew",
                "this node's clock is %s %s the database's"
                    .formatted(seconds(ahead.abs()), ahead.isNegative() ? "behind" : "ahead of"),
                "synchronise the clocks; only the reading of logs suffers, leases and due times use"
                    + " the database's"));
  }
}
