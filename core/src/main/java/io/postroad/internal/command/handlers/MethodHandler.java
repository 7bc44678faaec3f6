package io.postroad.internal.command.handlers;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Asks a bean by one of its methods; what the method throws comes out as it was thrown. */
final class MethodHandler<T> implements CommandHandler<T, Object> {
  private final Object bean;
  private final Method method;

  private MethodHandler(Object bean, Method method) {
    this.bean = bean;
    this.method = method;
  }

  /**
   * A handler that may call the method, also where its class is not public.
   *
   * @throws IllegalStateException when the module of the class does not allow it
   */
  static <T> MethodHandler<T> of(Object bean, Method method) {
    if (!method.trySetAccessible()) {
      Class<?> owner = method.getDeclaringClass();
      throw new IllegalStateException(
          "cannot call %s.%s: module %s does not open package %s to Postroad; add 'opens %s' to its"
                  .formatted(
                      owner.getSimpleName(),
                      method.getName(),
                      owner.getModule().getName(),
                      owner.getPackageName(),
                      owner.getPackageName())
              + " module-info, or make the class public and export the package");
    }
    return new MethodHandler<>(bean, method);
  }

  @Override
  public @Nullable Object handle(Object command, CommandContext<T> context) throws Exception {
    try {
      return method.invoke(bean, command);
    } catch (InvocationTargetException thrown) {
      Throwable cause = thrown.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof Exception exception ? exception : thrown;
    }
  }
}
