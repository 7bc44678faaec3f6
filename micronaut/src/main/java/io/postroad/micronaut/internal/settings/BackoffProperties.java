package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.framework.internal.settings.RelaySettings;
import java.time.Duration;

/**
 * The waits between attempts to send a message.
 *
 * @param first the wait after the first attempt
 * @param factor how much longer each next wait is
 * @param max the longest wait
 */
@ConfigurationProperties("postroad.relay.backoff")
public record BackoffProperties(
    @Bindable(defaultValue = "1s") Duration first,
    @Bindable(defaultValue = "2") double factor,
    @Bindable(defaultValue = "5m") Duration max)
    implements RelaySettings.Waits {}
