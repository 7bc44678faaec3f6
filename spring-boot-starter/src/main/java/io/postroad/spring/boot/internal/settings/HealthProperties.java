package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.operate.PostroadHealth;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits above which health is degraded.
 *
 * @param maxLag how long a message may be due
 * @param maxPending how many messages may wait
 */
@ConfigurationProperties("postroad.health")
public record HealthProperties(
    @DefaultValue("5m") Duration maxLag, @DefaultValue("5000") int maxPending)
    implements PostroadHealth.Limits {}
