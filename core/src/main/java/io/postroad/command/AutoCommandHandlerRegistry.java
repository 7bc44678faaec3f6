package io.postroad.command;

import io.postroad.internal.command.CommandFailure;
import io.postroad.internal.command.ReplyData;
import io.postroad.internal.command.handlers.Bean;
import io.postroad.internal.command.handlers.Candidate;
import io.postroad.internal.command.handlers.Consolidation;
import io.postroad.internal.command.handlers.Discovery;
import io.postroad.internal.command.handlers.Implementation;
import io.postroad.internal.command.handlers.KnownMethod;
import io.postroad.internal.command.handlers.WrittenClass;
import io.postroad.message.JsonCodec;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers of commands: one for each type.
 *
 * <pre>{@code
 * AutoCommandHandlerRegistry<Connection> registry =
 *     AutoCommandHandlerRegistry.<Connection>builder(codec)
 *         .bean(orderService) // has public Order createOrder(CreateOrderCommand command)
 *         .on(CancelOrderCommand.class, (command, context) -> cancel(context.transaction(), command))
 *         .build();
 * }</pre>
 *
 * <p>A method of a bean is a handler when it is public (inherited ones too), not static, and has
 * exactly one parameter, whose class is concrete, implements {@link DomainCommand} and ends in
 * {@code Command}. Its name does not matter. Of a bean that is found plain and as a proxy the proxy
 * is used, because it may open the transaction. Handlers are logged at DEBUG, methods that cannot
 * be used at WARN.
 *
 * <p>Immutable and safe to use from many threads, if beans, handlers and codec are.
 *
 * @param <T> the type of a transaction of the database
 */
public class AutoCommandHandlerRegistry<T> {
  private static final Logger LOG = LoggerFactory.getLogger(AutoCommandHandlerRegistry.class);

  private final JsonCodec codec;
  private final ReplyData replyData;
  private final SortedMap<String, Candidate<T>> byType;

  /**
   * Makes a registry without handlers, for stand-ins in tests that extend this class. Applications
   * use {@link #builder}.
   */
  public AutoCommandHandlerRegistry() {
    this(new NoCodec(), Collections.emptySortedMap());
  }

  private AutoCommandHandlerRegistry(JsonCodec codec, SortedMap<String, Candidate<T>> byType) {
    this.codec = codec;
    this.replyData = new ReplyData(codec);
    this.byType = Collections.unmodifiableSortedMap(byType);
  }

  /**
   * Collects handlers.
   *
   * @param codec reads payloads, and writes results
   */
  public static <T> Builder<T> builder(JsonCodec codec) {
    return new Builder<>(codec);
  }

  public boolean hasHandler(String type) {
    return byType.containsKey(type);
  }

  /** Returns the types that have a handler, sorted. */
  public Set<String> types() {
    return byType.keySet();
  }

  /** Returns the class of the payload of a type; empty when the type has no handler. */
  public Optional<Class<?>> commandClass(String type) {
    return Optional.ofNullable(byType.get(type)).map(Candidate::command);
  }

  /**
   * Returns the result type that the handler method of a type declares, {@code void.class} among
   * them; empty when the type has no handler, or one that was registered by hand.
   */
  public Optional<Type> resultType(String type) {
    return Optional.ofNullable(byType.get(type)).flatMap(Candidate::result);
  }

  /** Makes the exception for a type that has no handler. */
  public IllegalArgumentException unknown(String type) {
    return new IllegalArgumentException(
        "Unknown command type: %s; registered: %s; add a bean with a public method that has exactly"
                .formatted(type, types())
            + " one parameter, a class %sCommand that implements DomainCommand, and hand that bean"
                .formatted(type)
            + " to the registry; the log of io.postroad.command at DEBUG has all that was found");
  }

  /**
   * Reads the command, has it handled and makes data of the result, all on the caller's thread. The
   * caller begins and ends the transaction.
   *
   * @throws CommandFailure when the command does not get to its handler, or the result to the reply
   * @throws Exception as the handler threw it
   */
  public Map<String, Object> handle(CommandContext<T> context, String payload) throws Exception {
    @Nullable Candidate<T> handler = byType.get(context.type());
    if (handler == null) {
      throw new CommandFailure(FailureCode.UNKNOWN_TYPE, unknown(context.type()));
    }
    Object command = read(payload, handler.command());
    return write(handler.handler().handle(command, context));
  }

  private Object read(String payload, Class<?> command) {
    try {
      return codec.decode(payload, command);
    } catch (RuntimeException unfit) {
      throw new CommandFailure(FailureCode.INVALID, unfit);
    }
  }

  private Map<String, Object> write(@Nullable Object result) {
    try {
      return replyData.of(result);
    } catch (RuntimeException unwritable) {
      throw new CommandFailure(FailureCode.UNWRITABLE_RESULT, unwritable);
    }
  }

  /** The codec of a registry without handlers. */
  private static final class NoCodec implements JsonCodec {
    @Override
    public String encode(Object value) {
      throw new IllegalStateException("this registry has no handlers; make one by its builder");
    }

    @Override
    public <V> V decode(String json, Class<V> type) {
      throw new IllegalStateException("this registry has no handlers; make one by its builder");
    }
  }

  /** Collects beans and handlers. Not thread-safe. */
  public static final class Builder<T> {
    private final JsonCodec codec;
    private final List<Bean> beans = new ArrayList<>();
    private final List<Candidate<T>> explicit = new ArrayList<>();
    private final List<KnownMethod<T>> known = new ArrayList<>();

    private Builder(JsonCodec codec) {
      this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Adds the methods of a bean that are handlers by convention, if any. A proxy is recognised: a
     * {@link java.lang.reflect.Proxy} shows its interfaces only and goes by their name, one of
     * CGLIB, ByteBuddy or Micronaut goes by the class it extends.
     */
    public Builder<T> bean(Object bean) {
      beans.add(Bean.of(bean));
      return this;
    }

    /** Adds a bean like {@link #bean(Object)}: a proxy whose class the framework knows. */
    public Builder<T> bean(Object bean, Class<?> targetClass) {
      beans.add(new Bean(bean, targetClass));
      return this;
    }

    /**
     * Adds a method of a bean that its framework has found and calls itself, for example without
     * reflection. The rules are those of {@link #bean(Object)}.
     *
     * @param owner the class of the method, possibly that of a proxy
     * @param method its name
     * @param result its declared result, possibly {@code void.class}
     * @param proxy whether the call goes through what the framework put around the bean
     * @param call calls it
     */
    public <C extends DomainCommand> Builder<T> method(
        Class<?> owner,
        String method,
        Class<C> command,
        Type result,
        boolean proxy,
        CommandHandler<T, C> call) {
      known.add(
          new KnownMethod<>(
              new Implementation(WrittenClass.of(owner), method),
              command,
              result,
              proxy,
              (value, context) -> call.handle(command.cast(value), context)));
      return this;
    }

    /**
     * Sets the handler for a command class.
     *
     * @throws IllegalArgumentException when {@link CommandType#of} refuses the class
     */
    public <C extends DomainCommand> Builder<T> on(Class<C> command, CommandHandler<T, C> handler) {
      return on(CommandType.of(command), command, handler);
    }

    /**
     * Sets the handler for a type; its payload is read as any class.
     *
     * @throws IllegalArgumentException when {@link CommandType#check} refuses the type
     */
    public <C> Builder<T> on(String type, Class<C> command, CommandHandler<T, C> handler) {
      explicit.add(Candidate.explicit(type, command, handler));
      return this;
    }

    /**
     * DISCOVERS the methods of all beans and CONSOLIDATES them to one handler for each type.
     *
     * @throws IllegalStateException when a type has several, naming them; when a handler returns a
     *     future, or may not be called
     */
    public AutoCommandHandlerRegistry<T> build() {
      List<Candidate<T>> candidates = new ArrayList<>(explicit);
      Discovery<T> discovery = new Discovery<>();
      beans.forEach(bean -> candidates.addAll(discovery.of(bean)));
      known.forEach(method -> discovery.of(method).ifPresent(candidates::add));
      candidates.forEach(each -> LOG.debug("command handlers: candidate {}", each));
      return new AutoCommandHandlerRegistry<>(codec, Consolidation.of(candidates));
    }
  }
}
