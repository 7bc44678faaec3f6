package io.postroad.spring.boot.internal.settings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the actuator endpoint.
 *
 * @param writesEnabled whether dead letters can be replayed, skipped and discarded, and
 *     destinations paused and resumed, by every user who reaches the endpoint
 */
@ConfigurationProperties("postroad.endpoint")
public record EndpointProperties(@DefaultValue("false") boolean writesEnabled) {}
