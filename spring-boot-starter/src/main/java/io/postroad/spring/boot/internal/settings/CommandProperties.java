package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.settings.CommandSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of commands.
 *
 * @param enabled whether there is a command bus; there is one when a bean has a method for a
 *     command, or a process is defined, unless this says otherwise
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
 *     takes only its own; spring.application.name unless given
 * @param handledElsewhere types that other nodes on the same database handle
 */
@ConfigurationProperties("postroad.commands")
public record CommandProperties(
    @Nullable Boolean enabled,
    @DefaultValue("") String name,
    @Nullable Integer concurrency,
    @DefaultValue("60s") Duration handlerTimeout,
    @DefaultValue("3m") Duration leaseFor,
    @DefaultValue("5") int maxAttempts,
    @DefaultValue("1s") Duration sweepEvery,
    @DefaultValue("14d") Duration retention,
    @DefaultValue("30s") Duration drainFor,
    @DefaultValue("7d") Duration replyWithin,
    @DefaultValue Map<String, String> send,
    @DefaultValue("") String replyTo,
    @DefaultValue("") String owner,
    @DefaultValue List<String> handledElsewhere)
    implements CommandSettings {}
