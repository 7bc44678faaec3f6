package io.postroad.internal.command.handlers;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandType;
import io.postroad.command.DomainCommand;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Phase 1: finds the methods of beans that are handlers by convention. */
public final class Discovery<T> {
  private static final Logger LOG = LoggerFactory.getLogger(AutoCommandHandlerRegistry.class);

  /** All candidates of a bean. Those that cannot be registered are logged with the reason. */
  public List<Candidate<T>> of(Bean bean) {
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
    return typeOf(found.command(), implementation)
        .map(type -> candidate(type, bean, found, implementation));
  }

  /** The candidate that a framework has found, by the same rules. */
  public Optional<Candidate<T>> of(KnownMethod<T> found) {
    Implementation implementation = found.implementation();
    return typeOf(found.command(), implementation)
        .map(
            type -> {
              refuseLate(found.resultClass(), implementation);
              return new Candidate<>(
                  type,
                  found.command(),
                  implementation,
                  found.call(),
                  found.proxy(),
                  Optional.of(found.result()),
                  found.call());
            });
  }

  private static void refuseLate(Class<?> result, Implementation implementation) {
    if (LateResult.is(result)) {
      throw LateResult.refused(implementation.toString(), result);
    }
  }

  private static Optional<String> typeOf(
      Class<? extends DomainCommand> command, Implementation implementation) {
    if (Modifier.isAbstract(command.getModifiers())) {
      LOG.debug(
          "command handlers: not registered handler={}, its parameter {} is no concrete class",
          implementation,
          command.getName());
      return Optional.empty();
    }
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
    refuseLate(found.method().getReturnType(), implementation);
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
