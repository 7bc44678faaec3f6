package io.postroad.internal.command.handlers;

import io.postroad.command.CommandHandler;
import io.postroad.command.CommandType;
import java.lang.reflect.Type;
import java.util.Optional;

/**
 * A handler that was found for a type, before it is known whether it is the only one.
 *
 * @param bean whose method it is, or the explicit handler itself
 * @param isProxy whether a framework put something around the bean, for example a transaction
 * @param result what its method declares to return; empty for an explicit one
 */
public record Candidate<T>(
    String type,
    Class<?> command,
    Implementation implementation,
    Object bean,
    boolean isProxy,
    Optional<Type> result,
    CommandHandler<T, Object> handler) {

  public static <T, C> Candidate<T> explicit(
      String type, Class<C> command, CommandHandler<T, C> handler) {
    return new Candidate<>(
        CommandType.check(type),
        command,
        Implementation.explicit(handler),
        handler,
        false,
        Optional.empty(),
        (value, context) -> handler.handle(command.cast(value), context));
  }

  boolean isProxyOf(Candidate<T> other) {
    return isProxy && !other.isProxy && implementation.covers(other.implementation);
  }

  /** For the log; beans may say too much of themselves. */
  @Override
  public String toString() {
    return "type=%s command=%s handler=%s proxy=%s"
        .formatted(type, command.getName(), implementation, isProxy);
  }
}
