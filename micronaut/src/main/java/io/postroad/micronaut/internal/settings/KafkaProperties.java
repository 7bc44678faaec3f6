package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.naming.conventions.StringConvention;
import io.postroad.framework.internal.settings.KafkaSettings;
import java.time.Duration;
import java.util.Map;

/**
 * The properties of sending to Kafka. Brokers and their security are the application's own, under
 * kafka.
 *
 * @param sendTimeout how long a send may take; 11s more must be below postroad.relay.lease-for
 *     where relays compete
 * @param transactionalIdPrefix begins the transactional ids of the lanes, so that a frozen node
 *     cannot finish what it was sending; none unless given
 * @param cloudEventsSource adds the headers of CloudEvents with this source; none unless given
 * @param settings further settings of the producer, by their names in Kafka
 */
@ConfigurationProperties("postroad.kafka")
public record KafkaProperties(
    @Bindable(defaultValue = "15s") Duration sendTimeout,
    @Bindable(defaultValue = "") String transactionalIdPrefix,
    @Bindable(defaultValue = "") String cloudEventsSource,
    @MapFormat(transformation = MapFormat.MapTransformation.FLAT, keyFormat = StringConvention.RAW)
        @Bindable
        Map<String, String> settings)
    implements KafkaSettings {}
