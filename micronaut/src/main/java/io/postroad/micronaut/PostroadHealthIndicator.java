package io.postroad.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.postroad.admin.OutboxDoctor;
import io.postroad.outbox.OutboxRelay;
import io.postroad.store.Backlog;
import io.postroad.store.Finding;
import io.postroad.store.OutboxStore;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * In {@code /health}: DOWN when nothing can be stored. UP otherwise, also while a broker is away
 * and the backlog is below its limit; when what is stored does not get away as it should, the
 * details say that it is degraded, and why. The application works then, and a restart would not
 * help.
 *
 * <p>Safe to use from many threads. Its cost does not grow with the number of messages.
 */
@Singleton
@Readiness
@Requires(classes = AbstractHealthIndicator.class)
@Requires(beans = OutboxStore.class)
@Requires(condition = OnSwitch.Health.class)
final class PostroadHealthIndicator extends AbstractHealthIndicator<Map<String, Object>> {
  /** Told by the lag and by what waits, when it lasts. */
  private static final String BROKER_AWAY = "destination-down";

  private final OutboxStore<?> store;
  private final OutboxDoctor doctor;
  private final HealthProperties limits;
  private final Optional<OutboxRelay> relay;

  PostroadHealthIndicator(
      OutboxStore<?> store, HealthProperties limits, Optional<OutboxRelay> relay) {
    this.store = store;
    this.doctor =
        OutboxDoctor.of(
            store, new OutboxDoctor.Limits(limits.maxLag(), OutboxDoctor.Limits.defaults().skew()));
    this.limits = limits;
    this.relay = relay;
    this.healthStatus = HealthStatus.UP;
  }

  @Override
  protected String getName() {
    return "postroad";
  }

  @Override
  protected Map<String, Object> getHealthInformation() {
    Backlog backlog = store.backlog();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", store.name());
    details.put("pending", backlog.pending());
    details.put("dead", backlog.dead());
    details.put("lag", backlog.lag().toString());
    List<String> reasons = reasons(backlog);
    details.put("degraded", !reasons.isEmpty());
    if (!reasons.isEmpty()) {
      details.put("reasons", reasons);
    }
    return details;
  }

  private List<String> reasons(Backlog backlog) {
    List<String> reasons = new ArrayList<>();
    if (relay.isPresent() && !relay.get().isRunning()) {
      reasons.add("the relay is not running, nothing is sent by this node; restart it");
    }
    if (backlog.pending() > limits.maxPending()) {
      reasons.add(
          "%d messages wait, more than postroad.health.max-pending=%d"
              .formatted(backlog.pending(), limits.maxPending()));
    }
    doctor.examine().stream()
        .filter(finding -> finding.severity() == Finding.Severity.PROBLEM)
        .filter(finding -> !finding.code().equals(BROKER_AWAY))
        .forEach(finding -> reasons.add(finding.what() + "; " + finding.todo()));
    return reasons;
  }
}
