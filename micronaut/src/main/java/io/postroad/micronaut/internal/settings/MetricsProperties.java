package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.framework.internal.settings.MetricsSettings;
import java.time.Duration;

/**
 * The properties of meters, with {@code postroad-micrometer}.
 *
 * @param outbox the value of the tag "outbox", the same on all nodes of a service; the name of the
 *     application unless given
 * @param lookEvery how often the backlog is measured
 */
@ConfigurationProperties("postroad.metrics")
public record MetricsProperties(
    @Bindable(defaultValue = "") String outbox, @Bindable(defaultValue = "10s") Duration lookEvery)
    implements MetricsSettings {}
