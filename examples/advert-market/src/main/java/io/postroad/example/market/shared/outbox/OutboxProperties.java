package io.postroad.example.market.shared.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of publishing.
 *
 * @param pollInterval the longest time between two polls; a commit causes a poll at once
 * @param batchSize the entries of one poll
 * @param maxRetries the attempts before an entry is FAILED
 * @param initialBackoff the wait after the first attempt, which doubles with each further one
 * @param publishTimeout the longest time of one publication to Kafka
 * @param processingTtl the time after which a PROCESSING entry is claimed again; longer than a send
 *     may take
 * @param retention how long delivered entries are kept
 * @param exclusive whether only one node publishes at a time
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
