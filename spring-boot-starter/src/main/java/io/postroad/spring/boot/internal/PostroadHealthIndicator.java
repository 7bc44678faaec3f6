package io.postroad.spring.boot.internal;

import io.postroad.framework.internal.operate.PostroadHealth;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports in {@code /actuator/health}: DOWN when the store cannot be reached; DEGRADED, with the
 * reasons, when messages of the outbox or of the retry line do not get away as they should; UP
 * otherwise, also while a broker is away and the backlog is below its limit.
 *
 * <p>Safe to use from many threads. Its cost does not grow with the number of messages.
 */
public final class PostroadHealthIndicator extends AbstractHealthIndicator {
  public static final Status DEGRADED = new Status("DEGRADED");

  private final PostroadHealth health;

  public PostroadHealthIndicator(PostroadHealth health) {
    super("the outbox cannot be reached");
    this.health = health;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    PostroadHealth.Report report = health.check();
    report.details().forEach(builder::withDetail);
    builder.status(report.reasons().isEmpty() ? Status.UP : DEGRADED);
    if (!report.reasons().isEmpty()) {
      builder.withDetail("reasons", report.reasons());
    }
  }
}
