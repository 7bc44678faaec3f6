package io.postroad.micronaut.internal.operate;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.postroad.framework.RetryLine;
import io.postroad.framework.internal.operate.PostroadHealth;
import io.postroad.micronaut.internal.settings.HealthProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;

/**
 * Reports in {@code /health}: DOWN when the store cannot be reached. UP otherwise, also while a
 * broker is away and the backlog is below its limit. When messages do not get away as they should,
 * the details say that it is degraded, and why.
 *
 * <p>Safe to use from many threads. Its cost does not grow with the number of messages.
 */
@Singleton
@Readiness
@Requires(classes = AbstractHealthIndicator.class)
@Requires(beans = OutboxStore.class)
@Requires(condition = OnSwitch.Health.class)
public final class PostroadHealthIndicator extends AbstractHealthIndicator<Map<String, Object>> {
  private final PostroadHealth health;

  PostroadHealthIndicator(
      OutboxStore<?> store,
      HealthProperties limits,
      Optional<RetryLine<?>> retries,
      Optional<OutboxRelay> relay) {
    this.health = new PostroadHealth(store, retries, relay, limits, false);
    this.healthStatus = HealthStatus.UP;
  }

  @Override
  protected String getName() {
    return "postroad";
  }

  @Override
  protected Map<String, Object> getHealthInformation() {
    PostroadHealth.Report report = health.check();
    Map<String, Object> details = report.details();
    details.put("degraded", !report.reasons().isEmpty());
    if (!report.reasons().isEmpty()) {
      details.put("reasons", report.reasons());
    }
    return details;
  }
}
