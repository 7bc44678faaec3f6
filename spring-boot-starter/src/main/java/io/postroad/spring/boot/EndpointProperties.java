package io.postroad.spring.boot;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the actuator endpoint allows.
 *
 * @param writesEnabled whether dead letters can be replayed, skipped and discarded, and
 *     destinations paused and resumed; whoever reaches the endpoint can then do it
 */
@ConfigurationProperties("postroad.endpoint")
public record EndpointProperties(@DefaultValue("false") boolean writesEnabled) {}
