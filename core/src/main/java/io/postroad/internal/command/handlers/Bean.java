package io.postroad.internal.command.handlers;

import io.postroad.command.DomainCommand;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An object of the application that may have methods for commands.
 *
 * @param known its class as far as its framework says; possibly that of a proxy
 */
public record Bean(Object instance, Class<?> known) {

  /** A public method with one parameter that is a command, and the class or interface it is of. */
  record CommandMethod(Class<?> owner, Method method) {
    Class<? extends DomainCommand> command() {
      return method.getParameterTypes()[0].asSubclass(DomainCommand.class);
    }
  }

  public static Bean of(Object instance) {
    return new Bean(instance, instance.getClass());
  }

  boolean isProxy() {
    return !instance.getClass().equals(WrittenClass.of(known));
  }

  /** All of them, each once: the one of the nearest class, where it is overridden. */
  Collection<CommandMethod> commandMethods() {
    Map<String, CommandMethod> nearest = new LinkedHashMap<>();
    for (Class<?> owner : owners()) {
      methods(owner)
          .filter(Bean::takesCommand)
          .map(method -> new CommandMethod(owner, method))
          .forEach(
              each ->
                  nearest.putIfAbsent(
                      each.method().getName() + " " + each.command().getName(), each));
    }
    return nearest.values();
  }

  /** The method by which the instance itself can be asked: a proxy may show interfaces only. */
  Optional<Method> callable(CommandMethod wanted) {
    if (wanted.method().getDeclaringClass().isInstance(instance)) {
      return Optional.of(wanted.method());
    }
    List<Method> shown =
        WrittenClass.interfaces(instance.getClass()).stream()
            .flatMap(each -> Stream.of(each.getMethods()))
            .filter(each -> each.getName().equals(wanted.method().getName()))
            .filter(each -> each.getParameterCount() == 1)
            .filter(each -> each.getParameterTypes()[0].isAssignableFrom(wanted.command()))
            .toList();
    return shown.stream()
        .filter(each -> each.getParameterTypes()[0].equals(wanted.command()))
        .findFirst()
        .or(() -> shown.stream().findFirst());
  }

  /** The class that was written; its interfaces, if a proxy shows no more than those. */
  private List<Class<?>> owners() {
    Class<?> written = WrittenClass.of(known);
    return written.equals(Object.class)
        ? WrittenClass.interfaces(instance.getClass())
        : List.of(written);
  }

  /**
   * Not {@code getMethods} of the class: where a public class inherits from one that is not, that
   * has bridges only, and what they lead to is lost with them.
   */
  private static Stream<Method> methods(Class<?> owner) {
    return Stream.concat(
        WrittenClass.line(owner).stream().flatMap(each -> Stream.of(each.getDeclaredMethods())),
        WrittenClass.interfaces(owner).stream().flatMap(each -> Stream.of(each.getMethods())));
  }

  private static boolean takesCommand(Method method) {
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && !method.isSynthetic()
        && method.getParameterCount() == 1
        && DomainCommand.class.isAssignableFrom(method.getParameterTypes()[0]);
  }
}
