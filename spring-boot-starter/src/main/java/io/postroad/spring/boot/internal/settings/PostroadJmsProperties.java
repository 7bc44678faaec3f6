package io.postroad.spring.boot.internal.settings;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of sending to JMS and receiving from it. The broker is that of the application's
 * ConnectionFactory.
 *
 * @param sendTimeout how long a send may take; below postroad.relay.lease-for where relays compete
 * @param receiver how messages are received
 */
@ConfigurationProperties("postroad.jms")
public record PostroadJmsProperties(
    @DefaultValue("15s") Duration sendTimeout, @DefaultValue Receiver receiver) {

  /**
   * The properties of receiving.
   *
   * @param enabled whether messages are received for the inbox
   * @param queues queues to receive from; those that have handlers unless given
   * @param concurrency handlers that run at once for each queue; 10 for all of them unless given,
   *     or a share of half the connection pool where that is less
   */
  public record Receiver(
      @DefaultValue("false") boolean enabled,
      @DefaultValue Set<String> queues,
      @Nullable Integer concurrency) {}
}
