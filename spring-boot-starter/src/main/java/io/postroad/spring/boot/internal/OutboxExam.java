package io.postroad.spring.boot.internal;

import io.postroad.admin.OutboxDoctor;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.boot.HealthProperties;
import io.postroad.store.Backlog;
import io.postroad.store.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at an outbox, or at the retry line, which is one. Safe to use from many threads; its cost
 * does not grow with the number of messages.
 */
public final class OutboxExam {
  /** Told by the lag and by what waits, when it lasts. */
  private static final String BROKER_AWAY = "destination-down";

  private static final String NOBODY_SENDS = "lane-without-owner";

  /** What it found: how much there is, and what is wrong. */
  record Result(Map<String, Object> details, List<String> reasons) {}

  private final OutboxStore<?> store;
  private final OutboxDoctor doctor;
  private final HealthProperties limits;
  private final Set<String> ignored;

  /**
   * @param startedByHand whether it is right that nobody sends
   */
  public OutboxExam(OutboxStore<?> store, HealthProperties limits, boolean startedByHand) {
    this.store = store;
    this.doctor =
        OutboxDoctor.of(
            store, new OutboxDoctor.Limits(limits.maxLag(), OutboxDoctor.Limits.defaults().skew()));
    this.limits = limits;
    this.ignored = startedByHand ? Set.of(BROKER_AWAY, NOBODY_SENDS) : Set.of(BROKER_AWAY);
  }

  /** Fails when the store cannot be reached. */
  Result examine() {
    Backlog backlog = store.backlog();
    List<String> reasons = new ArrayList<>();
    if (backlog.pending() > limits.maxPending()) {
      reasons.add(
          "%d messages wait, more than postroad.health.max-pending=%d"
              .formatted(backlog.pending(), limits.maxPending()));
    }
    doctor.examine().stream()
        .filter(finding -> finding.severity() == Finding.Severity.PROBLEM)
        .filter(finding -> !ignored.contains(finding.code()))
        .forEach(finding -> reasons.add(finding.what() + "; " + finding.todo()));
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", store.name());
    details.put("pending", backlog.pending());
    details.put("dead", backlog.dead());
    details.put("lag", backlog.lag().toString());
    return new Result(details, reasons);
  }
}
