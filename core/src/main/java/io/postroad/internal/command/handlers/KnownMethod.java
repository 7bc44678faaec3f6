package io.postroad.internal.command.handlers;

import io.postroad.command.CommandHandler;
import io.postroad.command.DomainCommand;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/** A method for a command that a framework has found, and how it calls it. */
public record KnownMethod<T>(
    Implementation implementation,
    Class<? extends DomainCommand> command,
    Type result,
    boolean proxy,
    CommandHandler<T, Object> call) {

  /** What it returns, without type arguments. */
  Class<?> resultClass() {
    if (result instanceof Class<?> plain) {
      return plain;
    }
    return result instanceof ParameterizedType generic
            && generic.getRawType() instanceof Class<?> raw
        ? raw
        : Object.class;
  }
}
