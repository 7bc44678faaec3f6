package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How messages are received from JMS.
 *
 * @param enabled whether messages are received for the inbox
 * @param queues to receive from; those that handlers want unless given
 * @param concurrency handlers that run at once for each queue; at most half the connection pool
 */
@ConfigurationProperties("postroad.jms.receiver")
public record JmsReceiverProperties(
    @Bindable(defaultValue = "false") boolean enabled,
    @Bindable(defaultValue = "") Set<String> queues,
    @Bindable(defaultValue = "10") int concurrency) {

  public JmsReceiverProperties {
    queues = queues.stream().filter(each -> !each.isBlank()).collect(Collectors.toSet());
  }
}
