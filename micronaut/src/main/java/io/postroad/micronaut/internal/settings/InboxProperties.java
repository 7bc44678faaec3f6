package io.postroad.micronaut.internal.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.postroad.inbox.InboxOptions;
import java.time.Duration;

/**
 * How messages are handled that come in.
 *
 * @param enabled whether this node handles messages; only if there is a bean with handlers
 * @param handlerTimeout how long a handler may take before it is interrupted; below 19s, for more
 *     make the bean of Inbox yourself
 * @param concurrency handlers that run at once; at most half the connection pool
 * @param retention how long is remembered what was handled
 * @param unhandled what becomes of a message that no handler wants: ignore or dead_letter
 * @param retryPrefix begins the names of the tables of the retry line, behind the store's prefix
 */
@ConfigurationProperties("postroad.inbox")
public record InboxProperties(
    @Bindable(defaultValue = "true") boolean enabled,
    @Bindable(defaultValue = "10s") Duration handlerTimeout,
    @Bindable(defaultValue = "10") int concurrency,
    @Bindable(defaultValue = "14d") Duration retention,
    @Bindable(defaultValue = "IGNORE") InboxOptions.Unhandled unhandled,
    @Bindable(defaultValue = "retry_") String retryPrefix) {

  public InboxOptions options() {
    InboxOptions defaults = InboxOptions.defaults();
    return defaults
        .withTimes(handlerTimeout, defaults.queueFor(), defaults.retries())
        .withConcurrency(concurrency)
        .withRetention(retention)
        .withUnhandled(unhandled);
  }
}
