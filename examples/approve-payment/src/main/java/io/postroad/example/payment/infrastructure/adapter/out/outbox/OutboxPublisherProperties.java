package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of publishing.
 *
 * @param fixedDelay the milliseconds between two polls for events without a wake-up
 * @param batchSize the events of one poll
 * @param maxRetries the attempts before an event is FAILED
 */
@ConfigurationProperties("outbox.publisher")
public record OutboxPublisherProperties(
    @DefaultValue("5000") long fixedDelay,
    @DefaultValue("100") int batchSize,
    @DefaultValue("3") int maxRetries) {}
