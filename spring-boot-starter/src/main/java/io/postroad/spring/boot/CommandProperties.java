package io.postroad.spring.boot;

import io.postroad.command.CommandOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How commands are accepted and handled.
 *
 * @param enabled whether there is a command bus; there is one when a bean has a method for a
 *     command, or a process is defined, unless this says otherwise
 * @param name of this node in logs and leases; commands-, host, process id and a random part unless
 *     given
 * @param concurrency handlers that run at once; 10 unless given, or a share of half the connection
 *     pool where that is less
 * @param handlerTimeout how long a handler may take, with its transaction
 * @param leaseFor how long a command is kept for the node that took it; longer than its handler may
 *     take
 * @param maxAttempts how often a command is tried before it has failed
 * @param sweepEvery longest time between two looks for commands
 * @param retention how long commands that have ended are kept, with their idempotency keys
 * @param drainFor how long a stop waits for handlers that run
 * @param replyWithin how long a reply may take to a command that was sent and has no deadline of
 *     its own; then it has timed out
 * @param send types of commands that other services handle, and the destination of each:
 *     postroad.commands.send.CreateOrder=APP.CMD.CREATEORDER.Q
 * @param replyTo where replies to commands come back to that were sent
 * @param owner name of this service among those that share the destination of replies, of which it
 *     takes only its own; spring.application.name unless given
 * @param handledElsewhere types that other nodes over the same database handle
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
    @Nullable String replyTo,
    @Nullable String owner,
    @DefaultValue List<String> handledElsewhere) {

  CommandOptions options(HandlerShare share) {
    CommandOptions defaults = CommandOptions.defaults();
    return new CommandOptions(
        name.isEmpty() ? defaults.name() : name,
        share.orShare(concurrency),
        defaults.batch(),
        handlerTimeout,
        leaseFor,
        maxAttempts,
        defaults.backoff(),
        sweepEvery,
        retention,
        defaults.purgeEvery(),
        drainFor,
        replyWithin,
        defaults.maxErrorLength(),
        defaults.maxAwaited());
  }
}
