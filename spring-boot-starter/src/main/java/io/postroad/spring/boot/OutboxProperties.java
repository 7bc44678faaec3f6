package io.postroad.spring.boot;

import io.postroad.outbox.OutboxOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How messages are appended.
 *
 * @param maxPayload largest payload that append takes
 * @param deduplicateFor how long a deduplication key is remembered
 */
@ConfigurationProperties("postroad.outbox")
public record OutboxProperties(
    @DefaultValue("1MB") DataSize maxPayload, @DefaultValue("7d") Duration deduplicateFor) {

  OutboxOptions options() {
    return new OutboxOptions(Math.toIntExact(maxPayload.toBytes()), deduplicateFor);
  }
}
