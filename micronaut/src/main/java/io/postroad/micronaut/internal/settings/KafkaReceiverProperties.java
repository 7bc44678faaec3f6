package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.naming.conventions.StringConvention;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The properties of receiving from Kafka.
 *
 * @param groupId receives for the inbox in this group; nothing is received unless given
 * @param topics topics to receive; those that have handlers unless given
 * @param concurrency handlers that run at once; 10 unless given, or a share of half the connection
 *     pool where that is less
 * @param settings further settings of the consumer, by their names in Kafka
 */
@ConfigurationProperties("postroad.kafka.receiver")
public record KafkaReceiverProperties(
    @Bindable(defaultValue = "") String groupId,
    @Bindable(defaultValue = "") Set<String> topics,
    @Bindable @Nullable Integer concurrency,
    @MapFormat(transformation = MapFormat.MapTransformation.FLAT, keyFormat = StringConvention.RAW)
        @Bindable
        Map<String, String> settings) {

  public KafkaReceiverProperties {
    topics = topics.stream().filter(each -> !each.isBlank()).collect(Collectors.toSet());
  }
}
