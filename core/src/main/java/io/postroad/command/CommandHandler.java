package io.postroad.command;

import org.jspecify.annotations.Nullable;

/**
 * Handles commands of one type; registered by hand, with the context that a discovered method does
 * not get.
 *
 * <p>MUST be safe to use from many threads. It is called in a transaction that also writes the
 * reply, so its writes with {@link CommandContext#transaction()} happen once. Other effects may
 * happen again: after a crash, or when a transient failure is retried.
 *
 * @param <T> the type of a transaction of the database
 * @param <C> the command
 */
@FunctionalInterface
public interface CommandHandler<T, C> {

  /**
   * Handles a command.
   *
   * @return the value for {@link CommandReply.Completed#data()}; null for nothing
   * @throws Exception when it cannot be done: the transaction rolls back
   */
  @Nullable Object handle(C command, CommandContext<T> context) throws Exception;
}
