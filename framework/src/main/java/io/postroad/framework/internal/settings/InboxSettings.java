package io.postroad.framework.internal.settings;

import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.inbox.InboxOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The properties {@code postroad.inbox.*}. */
public interface InboxSettings {
  Duration handlerTimeout();

  @Nullable Integer concurrency();

  Duration retention();

  InboxOptions.Unhandled unhandled();

  default InboxOptions options(ConnectionBudget budget) {
    InboxOptions defaults = InboxOptions.defaults();
    return defaults
        .withTimes(handlerTimeout(), defaults.queueFor(), defaults.retries())
        .withConcurrency(budget.handlers(concurrency()))
        .withRetention(retention())
        .withUnhandled(unhandled());
  }
}
