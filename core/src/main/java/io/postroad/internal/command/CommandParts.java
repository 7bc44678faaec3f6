package io.postroad.internal.command;

import io.postroad.command.CommandOptions;
import io.postroad.spi.CommandStore;
import io.postroad.transaction.Transactions;

/**
 * The services of one command bus. Safe to use from many threads.
 *
 * @param handlers calls handlers and judges their failures
 * @param threads run commands
 */
public record CommandParts<T>(
    CommandStore<T> store,
    Transactions<T> transactions,
    CommandOptions options,
    CommandEvents events,
    CommandCompleter<T> completer,
    ReplyFutures<T> futures,
    CommandHandlers<T> handlers,
    RunThreads<T> threads) {

  static final String TIMED_OUT_TEXT = "TimedOut: the command was not handled before its deadline";
}
