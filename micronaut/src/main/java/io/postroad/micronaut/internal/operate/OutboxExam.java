package io.postroad.micronaut.internal.operate;

import io.postroad.admin.OutboxDoctor;
import io.postroad.micronaut.internal.settings.HealthProperties;
import io.postroad.spi.OutboxStore;
import io.postroad.store.Backlog;
import io.postroad.store.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at an outbox, or at the retry line, which is one. Safe to use from many threads; its cost
 * does not grow with the number of messages.
 */
final class OutboxExam {
  /** Told by the lag and by what waits, when it lasts. */
  private static final String BROKER_AWAY = "destination-down";

  /** What it found: how much there is, and what is wrong. */
  record Result(Map<String, Object> details, List<String> reasons) {}

  private final OutboxStore<?> store;
  private final OutboxDoctor doctor;
  private final HealthProperties limits;

  OutboxExam(OutboxStore<?> store, HealthProperties limits) {
    this.store = store;
    this.doctor =
        OutboxDoctor.of(
            store, new OutboxDoctor.Limits(limits.maxLag(), OutboxDoctor.Limits.defaults().skew()));
    this.limits = limits;
  }

  /** Fails when the store cannot be reached. */
  Result examine() {
    Backlog backlog = store.backlog();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", store.name());
    details.put("pending", backlog.pending());
    details.put("dead", backlog.dead());
    details.put("lag", backlog.lag().toString());
    List<String> reasons = new ArrayList<>();
    if (backlog.pending() > limits.maxPending()) {
      reasons.add(
          "%d messages wait, more than postroad.health.max-pending=%d"
              .formatted(backlog.pending(), limits.maxPending()));
    }
    doctor.examine().stream()
        .filter(finding -> finding.severity() == Finding.Severity.PROBLEM)
        .filter(finding -> !finding.code().equals(BROKER_AWAY))
        .forEach(finding -> reasons.add(finding.what() + "; " + finding.todo()));
    return new Result(details, reasons);
  }
}
