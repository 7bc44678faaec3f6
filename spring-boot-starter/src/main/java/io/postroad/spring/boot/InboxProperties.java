package io.postroad.spring.boot;

import io.postroad.inbox.InboxOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How messages are handled that come in.
 *
 * @param enabled whether this node handles messages; only if there is a bean with handlers
 * @param handlerTimeout how long a handler may take before it is interrupted; below 19s, for more
 *     make the bean of Inbox yourself
 * @param concurrency handlers that run at once, of messages that failed before or come without a
 *     broker; 10 unless given, or a share of half the connection pool where that is less
 * @param retention how long is remembered what was handled
 * @param unhandled what becomes of a message that no handler wants: ignore or dead_letter
 * @param retryPrefix begins the names of the tables of the retry line, behind the store's prefix
 */
@ConfigurationProperties("postroad.inbox")
public record InboxProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("10s") Duration handlerTimeout,
    @Nullable Integer concurrency,
    @DefaultValue("14d") Duration retention,
    @DefaultValue("ignore") InboxOptions.Unhandled unhandled,
    @DefaultValue("retry_") String retryPrefix) {

  InboxOptions options(HandlerShare share) {
    InboxOptions defaults = InboxOptions.defaults();
    return defaults
        .withTimes(handlerTimeout, defaults.queueFor(), defaults.retries())
        .withConcurrency(share.orShare(concurrency))
        .withRetention(retention)
        .withUnhandled(unhandled);
  }
}
