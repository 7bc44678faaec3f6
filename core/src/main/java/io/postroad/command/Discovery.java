package io.postroad.command;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Phase 1: finds the methods of beans that are handlers by convention. */
final class Discovery<T> {
  private static final Logger LOG = LoggerFactory.getLogger(AutoCommandHandlerRegistry.class);

  /** All candidates of a bean. Those that cannot be registered are logged with the reason. */
  List<Candidate<T>> of(Bean bean) {
    List<Candidate<T>> candidates = new ArrayList<>();
    for (Bean.CommandMethod method : bean.commandMethods()) {
      candidate(bean, method).ifPresent(candidates::add);
    }
    if (candidates.isEmpty()) {
      LOG.debug("command handlers: none in bean={}", bean.known().getName());
    }
    return candidates;
  }

  private Optional<Candidate<T>> candidate(Bean bean, Bean.CommandMethod found) {
    Implementation implementation = new Implementation(found.owner(), found.method().getName());
    Class<? extends DomainCommand> command = found.command();
    if (Modifier.isAbstract(command.getModifiers())) {
      LOG.debug(
          "command handlers: not registered handler={}, its parameter {} is no concrete class",
          implementation,
          command.getName());
      return Optional.empty();
    }
    return typeOf(command, implementation)
        .map(type -> candidate(type, bean, found, implementation));
  }

  private static Optional<String> typeOf(
      Class<? extends DomainCommand> command, Implementation implementation) {
    try {
      return Optional.of(CommandType.of(command));
    } catch (IllegalArgumentException misnamed) {
      LOG.warn(
          "command handlers: not registered handler={}: {}", implementation, misnamed.getMessage());
      return Optional.empty();
    }
  }

  private Candidate<T> candidate(
      String type, Bean bean, Bean.CommandMethod found, Implementation implementation) {
    Class<?> result = found.method().getReturnType();
    if (LateResult.is(result)) {
      throw LateResult.refused(implementation.toString(), result);
    }
    Method method = bean.callable(found).orElseThrow(() -> notShown(bean, implementation));
    return new Candidate<>(
        type,
        found.command(),
        implementation,
        bean.instance(),
        bean.isProxy(),
        Optional.of(found.method().getGenericReturnType()),
        MethodHandler.of(bean.instance(), method));
  }

  private static IllegalStateException notShown(Bean bean, Implementation implementation) {
    return new IllegalStateException(
        "%s handles a command, but its proxy %s has no such method; declare it in an interface of"
                .formatted(implementation, bean.instance().getClass().getName())
            + " the proxy, or have the framework make proxies of classes");
  }
}
