package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.naming.conventions.StringConvention;
import io.postroad.framework.internal.settings.CommandSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of commands.
 *
 * @param enabled whether this node handles commands; it does when a bean has a method for one, or a
 *     process is defined
 * @param name name of this node in logs and leases; commands-, host, process id and a random part
 *     unless given
 * @param concurrency handlers that run at once; 10 unless given, or a share of half the connection
 *     pool where that is less
 * @param handlerTimeout how long a handler may take, with its transaction
 * @param leaseFor how long a command is reserved for the node that took it; longer than its handler
 *     may take
 * @param maxAttempts how often a command is tried before it has failed
 * @param sweepEvery longest time between two polls for commands
 * @param retention how long completed commands are kept, with their idempotency keys
 * @param drainFor how long a stop waits for handlers that run
 * @param replyWithin how long the reply to a command that was sent may take, if the command has no
 *     deadline of its own; then it has timed out
 * @param send types of commands that other services handle, and the destination of each:
 *     postroad.commands.send.CreateOrder=APP.CMD.CREATEORDER.Q
 * @param replyTo destination of the replies to commands that were sent
 * @param owner name of this service among those that share the destination of replies, of which it
 *     takes only its own; micronaut.application.name unless given
 * @param handledElsewhere types that other nodes on the same database handle
 */
@ConfigurationProperties("postroad.commands")
public record CommandProperties(
    @Bindable(defaultValue = "true") boolean enabled,
    @Bindable(defaultValue = "") String name,
    @Bindable @Nullable Integer concurrency,
    @Bindable(defaultValue = "60s") Duration handlerTimeout,
    @Bindable(defaultValue = "3m") Duration leaseFor,
    @Bindable(defaultValue = "5") int maxAttempts,
    @Bindable(defaultValue = "1s") Duration sweepEvery,
    @Bindable(defaultValue = "14d") Duration retention,
    @Bindable(defaultValue = "30s") Duration drainFor,
    @Bindable(defaultValue = "7d") Duration replyWithin,
    @MapFormat(transformation = MapFormat.MapTransformation.FLAT, keyFormat = StringConvention.RAW)
        @Bindable
        Map<String, String> send,
    @Bindable(defaultValue = "") String replyTo,
    @Bindable(defaultValue = "") String owner,
    @Bindable(defaultValue = "") List<String> handledElsewhere)
    implements CommandSettings {

  public CommandProperties {
    handledElsewhere = handledElsewhere.stream().filter(each -> !each.isBlank()).toList();
  }
}
