package io.postroad.spring.boot;

import io.postroad.admin.OutboxDoctor;
import io.postroad.outbox.OutboxRelay;
import io.postroad.store.Backlog;
import io.postroad.store.Finding;
import io.postroad.store.OutboxStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * DOWN when nothing can be stored; DEGRADED, with the reasons, when what is stored does not get
 * away as it should: the application works, and a restart would not help. UP otherwise, also while
 * a broker is away and the backlog is below its limit.
 *
 * <p>Safe to use from many threads. Its cost does not grow with the number of messages.
 */
final class PostroadHealthIndicator extends AbstractHealthIndicator {
  static final Status DEGRADED = new Status("DEGRADED");

  /** Told by the lag and by what waits, when it lasts. */
  private static final String BROKER_AWAY = "destination-down";

  private static final String NOBODY_SENDS = "lane-without-owner";

  private final OutboxStore<?> store;
  private final OutboxDoctor doctor;
  private final HealthProperties limits;
  private final @Nullable OutboxRelay relay;
  private final Set<String> ignored;

  /**
   * @param relay the one that should run; none where another node sends
   * @param startedByHand whether it is right that nobody sends
   */
  PostroadHealthIndicator(
      OutboxStore<?> store,
      HealthProperties limits,
      @Nullable OutboxRelay relay,
      boolean startedByHand) {
    super("the outbox cannot be reached");
    this.store = store;
    this.doctor =
        OutboxDoctor.of(
            store, new OutboxDoctor.Limits(limits.maxLag(), OutboxDoctor.Limits.defaults().skew()));
    this.limits = limits;
    this.relay = startedByHand ? null : relay;
    this.ignored = startedByHand ? Set.of(BROKER_AWAY, NOBODY_SENDS) : Set.of(BROKER_AWAY);
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    Backlog backlog = store.backlog();
    List<String> reasons = new ArrayList<>();
    if (relay != null && !relay.isRunning()) {
      reasons.add("the relay is not running, nothing is sent by this node; restart it");
    }
    if (backlog.pending() > limits.maxPending()) {
      reasons.add(
          "%d messages wait, more than postroad.health.max-pending=%d"
              .formatted(backlog.pending(), limits.maxPending()));
    }
    doctor.examine().stream()
        .filter(finding -> finding.severity() == Finding.Severity.PROBLEM)
        .filter(finding -> !ignored.contains(finding.code()))
        .forEach(finding -> reasons.add(finding.what() + "; " + finding.todo()));
    health
        .status(reasons.isEmpty() ? Status.UP : DEGRADED)
        .withDetail("store", store.name())
        .withDetail("pending", backlog.pending())
        .withDetail("dead", backlog.dead())
        .withDetail("lag", backlog.lag().toString());
    if (!reasons.isEmpty()) {
      health.withDetail("reasons", reasons);
    }
  }
}
