package io.postroad.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * What meters are called and how fresh they are, with {@code postroad-micrometer}.
 *
 * @param outbox the value of the tag "outbox", the same on all nodes of a service; the name of the
 *     application unless given
 * @param lookEvery how often the backlog is looked at
 */
@ConfigurationProperties("postroad.metrics")
public record MetricsProperties(@Nullable String outbox, @DefaultValue("10s") Duration lookEvery) {

  /** The name of the retry line: that of the outbox, and what it is. */
  String retriesOr(Environment environment) {
    return outboxOr(environment) + "-retry";
  }

  /** The name of the outbox, or else that of the application. */
  String outboxOr(Environment environment) {
    return outbox == null ? environment.getProperty("spring.application.name", "postroad") : outbox;
  }
}
