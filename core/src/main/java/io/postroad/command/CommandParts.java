package io.postroad.command;

import io.postroad.engine.Alarms;
import io.postroad.engine.Ticker;
import io.postroad.store.CommandStore;
import io.postroad.store.Transactions;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** What the parts of a command bus share. Safe to use from many threads. */
record CommandParts<T>(
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
