package io.postroad.internal.command;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandOptions;
import io.postroad.internal.loop.Alarms;
import io.postroad.internal.loop.Ticker;
import io.postroad.spi.CommandStore;
import io.postroad.transaction.Transactions;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** What the parts of a command bus share. Safe to use from many threads. */
public record CommandParts<T>(
    CommandStore<T> store,
    Transactions<T> transactions,
    AutoCommandHandlerRegistry<T> registry,
    CommandOptions options,
    CommandNews news,
    CommandEnding<T> ending,
    ReplyFutures<T> futures,
    Transience transience,
    Chains<T> chains,
    Alarms alarms,
    Executor threads,
    Ticker ticker,
    RandomGenerator random,
    CommandTraces traces) {

  static final String TIMED_OUT_TEXT = "TimedOut: nobody handled the command before its deadline";
}
