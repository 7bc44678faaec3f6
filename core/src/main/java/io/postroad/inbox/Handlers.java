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
 * Who handles what: handlers by destination and type, each under a name of its own.
 *
 * <pre>{@code
 * Handlers<Connection> handlers = Handlers.<Connection>builder()
 *     .on("orders", "OrderPlaced", "billing", (message, context) -> bill(context.transaction(), message))
 *     .onAny("orders", "audit", this::audit)
 *     .build();
 * }</pre>
 *
 * <p>The name is what deduplication and retries know a handler by: keep it when the class changes
 * its name. Several handlers may want one message; each has it once.
 *
 * <p>Handlers of one destination share its order: while a message of a key waits to be tried again,
 * later messages of that destination and key wait behind it, whichever handler they are for. {@link
 * Builder#ownOrder} takes a handler out of that.
 *
 * <p>Immutable and safe to use from many threads.
 *
 * @param <T> what a transaction of the database is
 */
public final class Handlers<T> {
  private final Registrations<T> registrations;
  private final Map<String, Only> only;

  private Handlers(Map<String, Registration<T>> byName, Map<String, Only> only) {
    this.registrations = new Registrations<>(byName);
    this.only = Map.copyOf(only);
  }

  /**
   * Describes the messages of a destination that belong to this service, where several services
   * receive from that destination: those whose header has this value, and those without the header.
   */
  public record Only(String header, String value) {
    /** Tells whether a message belongs to this service, by its header; null where it has none. */
    public boolean takes(@Nullable String found) {
      return found == null || found.equals(value);
    }
  }

  public static <T> Builder<T> builder() {
    return new Builder<>();
  }

  /** The destinations that somebody wants messages of. */
  public Set<String> destinations() {
    return registrations.destinations();
  }

  /**
   * Returns what to take from a destination; empty for everything. A receiver leaves other messages
   * to the services that they belong to: it asks the broker for its own, or reads all of them in a
   * consumer group that no other service has.
   */
  public Optional<Only> only(String destination) {
    return Optional.ofNullable(only.get(destination));
  }

  /** The names of all handlers. */
  public Set<String> names() {
    return Set.copyOf(registrations.byName().keySet());
  }

  /** For workers that take messages straight from an outbox; see {@code OutboxWorkers}. */
  public MessageWork<T> work() {
    return new HandlerWork<>(registrations);
  }

  Registrations<T> registrations() {
    return registrations;
  }

  /** Collects handlers. Not thread-safe. */
  public static final class Builder<T> {
    private final List<Registration<T>> registrations = new ArrayList<>();
    private final Map<String, Only> only = new HashMap<>();

    private Builder() {}

    /** Messages of this destination and type go to {@code handler}, in a transaction. */
    public Builder<T> on(String destination, String type, String name, MessageHandler<T> handler) {
      return add(new Registration<>(name, destination, Optional.of(type), handler, true, false));
    }

    /** Messages of this destination go to {@code handler}, whatever their type. */
    public Builder<T> onAny(String destination, String name, MessageHandler<T> handler) {
      return add(new Registration<>(name, destination, Optional.empty(), handler, true, false));
    }

    /**
     * {@link #on} without a transaction around it, for what takes long or happens elsewhere: it may
     * happen again after a crash, so the handler itself must not mind.
     */
    public Builder<T> withoutTransaction(
        String destination, String type, String name, MessageHandler<T> handler) {
      return add(new Registration<>(name, destination, Optional.of(type), handler, false, false));
    }

    /**
     * Lets the handler of this name keep an order of its own: it does not wait when a message
     * failed in another handler of its destination, and other handlers do not wait for its
     * failures. Its own messages of a key are still handled in order.
     *
     * @throws IllegalStateException when no handler of this name was added before
     */
    public Builder<T> ownOrder(String name) {
      for (int at = 0; at < registrations.size(); at++) {
        if (registrations.get(at).name().equals(name)) {
          registrations.set(at, registrations.get(at).inOwnOrder());
          return this;
        }
      }
      throw new IllegalStateException(
          "ownOrder(\"%s\") names no handler: add the handler first; there are: %s"
              .formatted(name, registrations));
    }

    /**
     * Has receivers take only those messages from a destination whose header has this value, or
     * that lack the header. For a destination that several services share; {@code
     * CommandBus.receive} calls it for replies.
     */
    public Builder<T> only(String destination, String header, String value) {
      only.put(destination, new Only(header, value));
      return this;
    }

    private Builder<T> add(Registration<T> registration) {
      registrations.add(registration);
      return this;
    }

    /**
     * The handlers.
     *
     * @throws IllegalStateException when two have one name
     */
    public Handlers<T> build() {
      Map<String, Registration<T>> byName = new TreeMap<>();
      for (Registration<T> registration : registrations) {
        Registration<T> other = byName.put(registration.name(), registration);
        if (other != null) {
          throw new IllegalStateException(
              "two handlers have the name '%s': %s and %s; each needs a name of its own, because"
                      .formatted(registration.name(), other, registration)
                  + " deduplication knows it by that");
        }
      }
      return new Handlers<>(byName, only);
    }
  }
}
