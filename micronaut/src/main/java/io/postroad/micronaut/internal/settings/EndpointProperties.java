package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * The properties of the management endpoint. Created at the start, so that a wrong value is refused
 * there and not by the first request.
 *
 * @param writesEnabled whether dead letters can be replayed, skipped and discarded, and
 *     destinations paused and resumed, by every user who reaches the endpoint
 */
@Context
@ConfigurationProperties("postroad.endpoint")
public record EndpointProperties(@Bindable(defaultValue = "false") String writesEnabled) {

  /** Refuses a switch that is neither true nor false. */
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
