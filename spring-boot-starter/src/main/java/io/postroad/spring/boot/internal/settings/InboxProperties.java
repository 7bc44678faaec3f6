package io.postroad.spring.boot.internal.settings;

import io.postroad.framework.internal.settings.InboxSettings;
import io.postroad.inbox.InboxOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the inbox.
 *
 * @param enabled whether this node handles messages; only if there is a bean with handlers
 * @param handlerTimeout how long a handler may take before it is interrupted; below 19s, for more
 *     make the bean of Inbox yourself
 * @param concurrency handlers that run at once, of messages that failed before or come without a
 *     broker; 10 unless given, or a share of half the connection pool where that is less
 * @param retention how long the inbox remembers handled messages
 * @param unhandled what happens to a message that has no handler: ignore or dead_letter
 * @param retryPrefix begins the names of the tables of the retry line, behind the store's prefix
 */
@ConfigurationProperties("postroad.inbox")
public record InboxProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("10s") Duration handlerTimeout,
    @Nullable Integer concurrency,
    @DefaultValue("14d") Duration retention,
    @DefaultValue("ignore") InboxOptions.Unhandled unhandled,
    @DefaultValue("retry_") String retryPrefix)
    implements InboxSettings {}
