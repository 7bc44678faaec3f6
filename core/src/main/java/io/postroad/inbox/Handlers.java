package io.postroad.inbox;

import io.postroad.internal.inbox.HandlerWork;
import io.postroad.internal.inbox.Registration;
import io.postroad.internal.inbox.Registrations;
import io.postroad.outbox.MessageWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Message handlers by destination and type, each with its own name.
 *
 * <pre>{@code
 * Handlers<Connection> handlers = Handlers.<Connection>builder()
 *     .on("orders", "OrderPlaced", "billing", (message, context) -> bill(context.transaction(), message))
 *     .onAny("orders", "audit", this::audit)
 *     .build();
 * }</pre>
 *
 * <p>Deduplication and retries identify a handler by its name: keep the name when the class is
 * renamed. Several handlers may want the same message; each handles it once.
 *
 * <p>Handlers of one destination share its order. While a message of a key waits for its next
 * attempt, later messages of that destination and key wait behind it, also for other handlers.
 * {@link Builder#ownOrder} excludes a handler from that.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <T> the type of a database transaction
 */
public final class Handlers<T> {
  private final Registrations<T> registrations;
  private final Map<String, HeaderFilter> filters;

  private Handlers(Map<String, Registration<T>> byName, Map<String, HeaderFilter> filters) {
    this.registrations = new Registrations<>(byName);
    this.filters = Map.copyOf(filters);
  }

  /**
   * Describes the messages of a destination that belong to this service, where several services
   * receive from that destination: those with this value in the header, and those without the
   * header.
   */
  public record HeaderFilter(String header, String value) {
    /**
     * Returns whether a message with this header value belongs to this service; null stands for a
     * missing header.
     */
    public boolean accepts(@Nullable String found) {
      return found == null || found.equals(value);
    }
  }

  public static <T> Builder<T> builder() {
    return new Builder<>();
  }

  /** Returns the destinations that have a handler. */
  public Set<String> destinations() {
    return registrations.destinations();
  }

  /**
   * Returns the filter for a destination; empty if this service receives all its messages. A
   * receiver leaves other messages to the services to which they belong: it asks the broker for its
   * own, or reads all of them in a consumer group that no other service uses.
   */
  public Optional<HeaderFilter> filter(String destination) {
    return Optional.ofNullable(filters.get(destination));
  }

  /** Returns the names of all handlers. */
  public Set<String> names() {
    return Set.copyOf(registrations.byName().keySet());
  }

  /**
   * Returns the handlers as work for {@code OutboxWorkers}, which claim messages straight from an
   * outbox.
   */
  public MessageWork<T> work() {
    return new HandlerWork<>(registrations);
  }

  Registrations<T> registrations() {
    return registrations;
  }

  /** Collects handlers. Not thread-safe. */
  public static final class Builder<T> {
    private final List<Registration<T>> registrations = new ArrayList<>();
    private final Map<String, HeaderFilter> filters = new HashMap<>();

    private Builder() {}

    /** Adds a handler for messages of a destination and type. It runs in a transaction. */
    public Builder<T> on(String destination, String type, String name, MessageHandler<T> handler) {
      return add(new Registration<>(name, destination, Optional.of(type), handler, true, false));
    }

    /** Adds a handler for all messages of a destination. It runs in a transaction. */
    public Builder<T> onAny(String destination, String name, MessageHandler<T> handler) {
      return add(new Registration<>(name, destination, Optional.empty(), handler, true, false));
    }

    /**
     * Adds a handler that runs without a transaction, for long work and for effects outside of the
     * database. It may run again after a crash, so it must be idempotent.
     */
    public Builder<T> withoutTransaction(
        String destination, String type, String name, MessageHandler<T> handler) {
      return add(new Registration<>(name, destination, Optional.of(type), handler, false, false));
    }

    /**
     * Gives the handler of this name its own order. It does not wait when a message failed in
     * another handler of its destination, and other handlers do not wait for its failures. It still
     * handles its own messages of a key in order.
     *
     * @throws IllegalStateException if no handler of this name was added before
     */
    public Builder<T> ownOrder(String name) {
      for (int at = 0; at < registrations.size(); at++) {
        if (registrations.get(at).name().equals(name)) {
          registrations.set(at, registrations.get(at).inOwnOrder());
          return this;
        }
      }
      throw new IllegalStateException(
          "ownOrder(\"%s\") names no handler: add the handler first; known handlers: %s"
              .formatted(name, registrations));
    }

    /**
     * Makes receivers take only those messages from a destination that have this value in the
     * header, or that lack the header. For a destination that several services share; {@code
     * CommandBus.receive} calls it for replies.
     */
    public Builder<T> only(String destination, String header, String value) {
      filters.put(destination, new HeaderFilter(header, value));
      return this;
    }

    private Builder<T> add(Registration<T> registration) {
      registrations.add(registration);
      return this;
    }

    /**
     * Creates the handlers.
     *
     * @throws IllegalStateException if two handlers have the same name
     */
    public Handlers<T> build() {
      Map<String, Registration<T>> byName = new TreeMap<>();
      for (Registration<T> registration : registrations) {
        Registration<T> other = byName.put(registration.name(), registration);
        if (other != null) {
          throw new IllegalStateException(
              "two handlers have the name '%s': %s and %s; give each its own name, because"
                      .formatted(registration.name(), other, registration)
                  + " deduplication identifies a handler by its name");
        }
      }
      return new Handlers<>(byName, filters);
    }
  }
}
