package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.settings.MetricsSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of meters, with {@code postroad-micrometer}.
 *
 * @param outbox the value of the tag "outbox", the same on all nodes of a service; the name of the
 *     application unless given
 * @param lookEvery how often the backlog is measured
 */
@ConfigurationProperties("postroad.metrics")
public record MetricsProperties(
    @DefaultValue("") String outbox, @DefaultValue("10s") Duration lookEvery)
    implements MetricsSettings {}
