package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How events are published.
 *
 * @param fixedDelay milliseconds between two looks for events that nobody told of
 * @param batchSize events of one look
 * @param maxRetries attempts before an event is FAILED
 */
@ConfigurationProperties("outbox.publisher")
public record OutboxPublisherProperties(
    @DefaultValue("5000") long fixedDelay,
    @DefaultValue("100") int batchSize,
    @DefaultValue("3") int maxRetries) {}
