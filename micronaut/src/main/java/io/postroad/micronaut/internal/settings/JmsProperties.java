package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * The properties of sending to JMS. The broker is that of the application's ConnectionFactory, or
 * the queue manager of postroad.mq.
 *
 * @param sendTimeout how long a send may take; below postroad.relay.lease-for where relays compete
 * @param requiredQueues a comma list of queues that must exist, or the start is refused
 */
@ConfigurationProperties("postroad.jms")
public record JmsProperties(
    @Bindable(defaultValue = "15s") Duration sendTimeout,
    @Bindable(defaultValue = "") String requiredQueues) {}
