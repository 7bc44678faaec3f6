package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * When the health of Postroad is degraded.
 *
 * @param enabled whether health has Postroad in it
 * @param maxLag how long a message may be due
 * @param maxPending how many messages may wait
 */
@ConfigurationProperties("postroad.health")
public record HealthProperties(
    @Bindable(defaultValue = "true") boolean enabled,
    @Bindable(defaultValue = "5m") Duration maxLag,
    @Bindable(defaultValue = "5000") int maxPending) {}
