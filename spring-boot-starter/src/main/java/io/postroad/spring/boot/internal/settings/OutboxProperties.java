package io.postroad.spring.boot.internal.settings;

import io.postroad.outbox.OutboxOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of the outbox.
 *
 * @param maxPayload largest payload that append takes
 * @param deduplicateFor how long a deduplication key is remembered
 */
@ConfigurationProperties("postroad.outbox")
public record OutboxProperties(
    @DefaultValue("1MB") DataSize maxPayload, @DefaultValue("7d") Duration deduplicateFor) {

  public OutboxOptions options() {
    return new OutboxOptions(Math.toIntExact(maxPayload.toBytes()), deduplicateFor);
  }
}
