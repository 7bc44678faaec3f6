package io.postroad.micronaut.internal.operate;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.postroad.micronaut.internal.settings.HealthProperties;
import io.postroad.micronaut.internal.settings.OnSwitch;
import io.postroad.micronaut.internal.wiring.RetryLine;
import io.postroad.outbox.OutboxRelay;
import io.postroad.spi.OutboxStore;
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
public final class PostroadHealthIndicator extends AbstractHealthIndicator<Map<String, Object>> {
  private final OutboxExam outbox;
  private final Optional<OutboxExam> retries;
  private final Optional<OutboxRelay> relay;

  PostroadHealthIndicator(
      OutboxStore<?> store,
      HealthProperties limits,
      Optional<RetryLine<?>> retries,
      Optional<OutboxRelay> relay) {
    this.outbox = new OutboxExam(store, limits);
    this.retries = retries.map(line -> new OutboxExam(line.store(), limits));
    this.relay = relay;
    this.healthStatus = HealthStatus.UP;
  }

  @Override
  protected String getName() {
    return "postroad";
  }

  @Override
  protected Map<String, Object> getHealthInformation() {
    List<String> reasons = new ArrayList<>();
    if (relay.isPresent() && !relay.get().isRunning()) {
      reasons.add("the relay is not running, nothing is sent by this node; restart it");
    }
    OutboxExam.Result found = outbox.examine();
    reasons.addAll(found.reasons());
    Map<String, Object> details = new LinkedHashMap<>(found.details());
    retries.ifPresent(
        line -> {
          OutboxExam.Result waiting = line.examine();
          waiting.reasons().forEach(reason -> reasons.add("in the retry line: " + reason));
          details.put("retries", waiting.details());
        });
    details.put("degraded", !reasons.isEmpty());
    if (!reasons.isEmpty()) {
      details.put("reasons", reasons);
    }
    return details;
  }
}
