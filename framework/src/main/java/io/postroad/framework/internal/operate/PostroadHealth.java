package io.postroad.framework.internal.operate;

import io.postroad.admin.OutboxDoctor;
import io.postroad.framework.RetryLine;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
import io.postroad.store.Backlog;
import io.postroad.store.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the health of the outbox and of the retry line. The application works although there are
 * reasons to worry, and a restart would not help; only a store that cannot be reached fails the
 * check with an exception.
 *
 * <p>Safe to use from many threads. Its cost does not grow with the number of messages.
 */
public final class PostroadHealth {
  /** Not a reason by itself: lag and backlog show it when it lasts. */
  private static final String BROKER_AWAY = "destination-down";

  private static final String NO_RELAY = "lane-without-owner";

  /** The properties {@code postroad.health.*}. */
  public interface Limits {
    Duration maxLag();

    int maxPending();
  }

  /**
   * The result of a check.
   *
   * @param details counts of the outbox, and of the retry line under {@code retries}
   * @param reasons why messages do not get away as they should; empty if they do
   */
  public record Report(Map<String, Object> details, List<String> reasons) {}

  private final Diagnostics outbox;
  private final Optional<Diagnostics> retries;
  private final Optional<OutboxRelay> relay;

  /**
   * @param retries empty where there is no inbox
   * @param relay the relay that should run; empty where another node sends
   * @param startedByHand whether a test drains the outbox, so that no relay has to run
   */
  public PostroadHealth(
      OutboxStore<?> store,
      Optional<? extends RetryLine<?>> retries,
      Optional<OutboxRelay> relay,
      Limits limits,
      boolean startedByHand) {
    Set<String> ignored = startedByHand ? Set.of(BROKER_AWAY, NO_RELAY) : Set.of(BROKER_AWAY);
    this.outbox = Diagnostics.of(store, limits, ignored);
    this.retries = retries.map(line -> Diagnostics.of(line.store(), limits, ignored));
    this.relay = startedByHand ? Optional.empty() : relay;
  }

  public Report check() {
    List<String> reasons = new ArrayList<>();
    if (relay.isPresent() && !relay.get().isRunning()) {
      reasons.add("the relay is not running, nothing is sent by this node; restart it");
    }
    Report sent = outbox.run();
    reasons.addAll(sent.reasons());
    Map<String, Object> details = new LinkedHashMap<>(sent.details());
    retries.ifPresent(
        line -> {
          Report again = line.run();
          again.reasons().forEach(reason -> reasons.add("in the retry line: " + reason));
          details.put("retries", again.details());
        });
    return new Report(details, reasons);
  }

  /** The diagnostics of one outbox; the retry line is one, too. */
  private record Diagnostics(
      OutboxStore<?> store, OutboxDoctor doctor, int maxPending, Set<String> ignored) {

    static Diagnostics of(OutboxStore<?> store, Limits limits, Set<String> ignored) {
      OutboxDoctor.Limits lag =
          new OutboxDoctor.Limits(limits.maxLag(), OutboxDoctor.Limits.defaults().skew());
      return new Diagnostics(store, OutboxDoctor.of(store, lag), limits.maxPending(), ignored);
    }

    Report run() {
      Backlog backlog = store.backlog();
      Map<String, Object> details = new LinkedHashMap<>();
      details.put("store", store.name());
      details.put("pending", backlog.pending());
      details.put("dead", backlog.dead());
      details.put("lag", backlog.lag().toString());
      List<String> reasons = new ArrayList<>();
      if (backlog.pending() > maxPending) {
        reasons.add(
            "%d messages wait, more than postroad.health.max-pending=%d"
                .formatted(backlog.pending(), maxPending));
      }
      doctor.examine().stream()
          .filter(finding -> finding.severity() == Finding.Severity.PROBLEM)
          .filter(finding -> !ignored.contains(finding.code()))
          .forEach(finding -> reasons.add(finding.what() + "; " + finding.todo()));
      return new Report(details, reasons);
    }
  }
}
