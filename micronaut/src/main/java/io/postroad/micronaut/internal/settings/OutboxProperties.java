package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import io.postroad.outbox.OutboxOptions;
import java.time.Duration;

/**
 * The properties of the outbox.
 *
 * @param maxPayload largest payload that append takes
 * @param deduplicateFor how long a deduplication key is remembered
 */
@ConfigurationProperties("postroad.outbox")
public record OutboxProperties(
    @ReadableBytes @Bindable(defaultValue = "1MB") int maxPayload,
    @Bindable(defaultValue = "7d") Duration deduplicateFor) {

  public OutboxOptions options() {
    return new OutboxOptions(maxPayload, deduplicateFor);
  }
}
