package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * What the management endpoint allows. Made at the start, so that it is refused there and not by
 * the first request.
 *
 * @param writesEnabled whether dead letters can be replayed, skipped and discarded, and
 *     destinations paused and resumed; whoever reaches the endpoint can then do it
 */
@Context
@ConfigurationProperties("postroad.endpoint")
public record EndpointProperties(@Bindable(defaultValue = "false") String writesEnabled) {

  /** Refused unless it is a switch. */
  public EndpointProperties {
    boolean unused = isOn(writesEnabled);
  }

  public boolean allowsWrites() {
    return isOn(writesEnabled);
  }

  private static boolean isOn(String text) {
    return Switch.isOn("postroad.endpoint.writes-enabled", text);
  }
}
