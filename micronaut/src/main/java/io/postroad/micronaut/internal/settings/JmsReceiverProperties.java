package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The properties of receiving from JMS.
 *
 * @param enabled whether messages are received for the inbox
 * @param queues queues to receive from; those that have handlers unless given
 * @param concurrency handlers that run at once for each queue; 10 for all of them unless given, or
 *     a share of half the connection pool where that is less
 */
@ConfigurationProperties("postroad.jms.receiver")
public record JmsReceiverProperties(
    @Bindable(defaultValue = "false") boolean enabled,
    @Bindable(defaultValue = "") Set<String> queues,
    @Bindable @Nullable Integer concurrency) {

  public JmsReceiverProperties {
    queues = queues.stream().filter(each -> !each.isBlank()).collect(Collectors.toSet());
  }
}
