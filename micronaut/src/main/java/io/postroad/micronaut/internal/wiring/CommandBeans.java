package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.ProxyBeanDefinition;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.DomainCommand;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the methods of beans that handle commands, by the definitions that Micronaut wrote when the
 * application was compiled. A method with advice, like {@code @Transactional}, or with
 * {@code @Executable} is in the definition and called without reflection, through its proxy. Other
 * public methods are found by reflection, once, at the start. A method that is not public is no
 * handler, with advice or without.
 *
 * <p>Creates no bean: a bean is created when its first command comes, because it may itself need
 * the command bus or the process manager.
 */
final class CommandBeans {
  private final BeanContext beans;

  CommandBeans(BeanContext beans) {
    this.beans = beans;
  }

  <T> void registerIn(AutoCommandHandlerRegistry.Builder<T> registry) {
    for (BeanDefinition<?> definition : beans.getBeanDefinitions(Object.class)) {
      if (isOfTheApplication(definition)) {
        register(definition, registry);
      }
    }
  }

  private static boolean isOfTheApplication(BeanDefinition<?> definition) {
    String name = definition.getBeanType().getName();
    return !definition.isAbstract()
        && !name.startsWith("io.micronaut.")
        && !name.startsWith("java.")
        && !name.startsWith("io.netty.");
  }

  private <T, B> void register(
      BeanDefinition<B> definition, AutoCommandHandlerRegistry.Builder<T> registry) {
    Set<String> known = new HashSet<>();
    for (ExecutableMethod<B, ?> method : definition.getExecutableMethods()) {
      Class<?>[] parameters = method.getArgumentTypes();
      if (isCommand(parameters)
          && !isHidden(written(definition), method.getMethodName(), parameters)
          && known.add(key(method.getMethodName(), parameters))) {
        registry.method(
            definition.getBeanType(),
            method.getMethodName(),
            parameters[0].asSubclass(DomainCommand.class),
            method.getReturnType().asArgument().asType(),
            isProxy(definition),
            (command, context) -> method.invoke(beans.getBean(definition), command));
      }
    }
    for (Method method : publicMethods(written(definition))) {
      Class<?>[] parameters = method.getParameterTypes();
      if (isCommand(parameters) && known.add(key(method.getName(), parameters))) {
        registry.method(
            definition.getBeanType(),
            method.getName(),
            parameters[0].asSubclass(DomainCommand.class),
            method.getGenericReturnType(),
            isProxy(definition),
            (command, context) -> invoke(accessible(method), beans.getBean(definition), command));
      }
    }
  }

  /** Returns the class of the source code: a proxy class has further methods. */
  private static Class<?> written(BeanDefinition<?> definition) {
    return definition instanceof ProxyBeanDefinition<?> proxy
        ? proxy.getTargetType()
        : definition.getBeanType();
  }

  /**
   * Returns whether the method is declared and not public: advice makes such a method executable,
   * too. In a native image without hints no method is visible, and it counts as public.
   */
  private static boolean isHidden(Class<?> type, String name, Class<?>[] parameters) {
    for (@Nullable Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : declaredMethods(each)) {
        if (method.getName().equals(name)
            && Arrays.equals(method.getParameterTypes(), parameters)) {
          return !Modifier.isPublic(method.getModifiers());
        }
      }
    }
    return false;
  }

  private static Method[] declaredMethods(Class<?> type) {
    try {
      return type.getDeclaredMethods();
    } catch (NoClassDefFoundError optional) {
      return new Method[0];
    }
  }

  private static boolean isProxy(BeanDefinition<?> definition) {
    return definition instanceof ProxyBeanDefinition;
  }

  private static boolean isCommand(Class<?>[] parameters) {
    return parameters.length == 1 && DomainCommand.class.isAssignableFrom(parameters[0]);
  }

  private static String key(String method, Class<?>[] parameters) {
    return method + " " + parameters[0].getName();
  }

  private static List<Method> publicMethods(Class<?> type) {
    try {
      return Stream.of(type.getMethods())
          .filter(each -> !Modifier.isStatic(each.getModifiers()) && !each.isSynthetic())
          .toList();
    } catch (NoClassDefFoundError optional) {
      // A class of an optional library that is missing; such a bean cannot be used.
      return List.of();
    }
  }

  /** Makes a public method callable although its class is not public. */
  private static Method accessible(Method method) {
    boolean unused = method.trySetAccessible();
    return method;
  }

  private static @Nullable Object invoke(Method method, Object bean, Object command)
      throws Exception {
    try {
      return method.invoke(bean, command);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof Error error) {
        throw error;
      }
      throw thrown.getCause() instanceof Exception exception ? exception : thrown;
    }
  }
}
