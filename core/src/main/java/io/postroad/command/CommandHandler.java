package io.postroad.command;

import org.jspecify.annotations.Nullable;

/**
 * Does what a command asks for; the way to register a handler by hand, with the context that a
 * discovered method does not get.
 *
 * <p>MUST be safe to use from many threads. It is called in a transaction that also writes the
 * reply, so what it writes with {@link CommandContext#transaction()} happens once. What it does
 * elsewhere may happen again: after a crash, or when a transient failure is tried again.
 *
 * @param <T> what a transaction of the database is
 * @param <C> the command
 */
@FunctionalInterface
public interface CommandHandler<T, C> {

  /**
   * Does it.
   *
   * @return what becomes {@link CommandReply.Completed#data()}; null for nothing
   * @throws Exception when it cannot be done: the transaction rolls back
   */
  @Nullable Object handle(C command, CommandContext<T> context) throws Exception;
}
