package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.framework.internal.operate.PostroadHealth;
import java.time.Duration;

/**
 * The limits above which health is degraded.
 *
 * @param enabled whether health has Postroad in it
 * @param maxLag how long a message may be due
 * @param maxPending how many messages may wait
 */
@ConfigurationProperties("postroad.health")
public record HealthProperties(
    @Bindable(defaultValue = "true") boolean enabled,
    @Bindable(defaultValue = "5m") Duration maxLag,
    @Bindable(defaultValue = "5000") int maxPending)
    implements PostroadHealth.Limits {}
