package io.postroad.example.market.shared.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How entries are published.
 *
 * @param pollInterval longest time between two looks for entries; a commit is followed by one
 * @param batchSize entries of one look
 * @param maxRetries attempts before an entry is FAILED
 * @param initialBackoff the wait after the first attempt; the next are twice and four times as long
 * @param publishTimeout how long Kafka may take for an entry
 * @param processingTtl what is PROCESSING for longer was left behind, and comes again; longer than
 *     a send may take
 * @param retention how long delivered entries are kept
 * @param exclusive whether one node alone publishes while it lives
 */
@ConfigurationProperties("app.outbox")
public record OutboxProperties(
    @DefaultValue("500ms") Duration pollInterval,
    @DefaultValue("50") int batchSize,
    @DefaultValue("3") int maxRetries,
    @DefaultValue("1s") Duration initialBackoff,
    @DefaultValue("5s") Duration publishTimeout,
    @DefaultValue("30s") Duration processingTtl,
    @DefaultValue("7d") Duration retention,
    @DefaultValue("false") boolean exclusive) {}
