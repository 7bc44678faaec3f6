package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * What meters are called and how fresh they are, with {@code postroad-micrometer}.
 *
 * @param outbox the value of the tag "outbox", the same on all nodes of a service; the name of the
 *     application unless given
 * @param lookEvery how often the backlog is looked at
 */
@ConfigurationProperties("postroad.metrics")
public record MetricsProperties(
    @Bindable(defaultValue = "") String outbox,
    @Bindable(defaultValue = "10s") Duration lookEvery) {

  /** The name of the outbox, or else that of the application. */
  public String outboxOr(String application) {
    return outbox.isEmpty() ? application : outbox;
  }
}
