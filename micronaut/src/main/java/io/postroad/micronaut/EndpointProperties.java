package io.postroad.micronaut;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * What the management endpoint allows.
 *
 * @param writesEnabled whether dead letters can be replayed, skipped and discarded, and
 *     destinations paused and resumed; whoever reaches the endpoint can then do it
 */
@ConfigurationProperties("postroad.endpoint")
record EndpointProperties(@Bindable(defaultValue = "false") boolean writesEnabled) {}
