package io.postroad.framework.internal.wiring;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Divides the connection pool of an application among the handlers of its parts. A part runs as
 * many handlers at once as its property says. Parts without a value share the rest of half the
 * pool, ten handlers each at most. The relay, the inbox and the command bus need two connections
 * each beside their handlers: one to listen, one to work.
 *
 * <p>Handlers that used up the pool would keep requests waiting, and the relay from renewing its
 * leases; so a sum that does not fit is warned of at the start.
 *
 * <p>Safe to use from many threads. Asked while the application starts.
 */
public final class ConnectionBudget {
  private static final int MOST_HANDLERS = 10;
  private static final int TO_LISTEN_AND_WORK = 2;

  /** The connection pool of the application. */
  @FunctionalInterface
  public interface Pool {

    /** Returns the number of connections; null if it is unknown or has no bound. */
    @Nullable Integer connections();
  }

  /**
   * A part that uses the pool. Each framework makes a bean of it beside the part itself.
   *
   * @param property sets how many handlers the part runs at once
   * @param given the value of the property; null if it is not set
   * @param times how often the part runs that many: once for each queue
   * @param beside connections that it needs beside its handlers
   */
  public record Part(String property, @Nullable Integer given, int times, int beside) {

    public static Part relay() {
      return new Part("", 0, 0, TO_LISTEN_AND_WORK);
    }

    public static Part inbox(@Nullable Integer given) {
      return new Part("postroad.inbox.concurrency", given, 1, TO_LISTEN_AND_WORK);
    }

    public static Part commands(@Nullable Integer given) {
      return new Part("postroad.commands.concurrency", given, 1, TO_LISTEN_AND_WORK);
    }

    /** Returns a command bus that has no handlers and is not started. */
    public static Part noCommands() {
      return new Part("", 0, 0, 0);
    }

    public static Part kafkaReceiver(@Nullable Integer given) {
      return new Part("postroad.kafka.receiver.concurrency", given, 1, 0);
    }

    public static Part jmsReceiver(@Nullable Integer given, int queues) {
      return new Part("postroad.jms.receiver.concurrency", given, Math.max(1, queues), 0);
    }
  }

  private final Pool pool;
  private final Supplier<List<Part>> parts;

  public ConnectionBudget(Pool pool, Supplier<List<Part>> parts) {
    this.pool = pool;
    this.parts = parts;
  }

  /** Returns how many handlers a part runs at once: as given, or else its share. */
  public int handlers(@Nullable Integer given) {
    return given == null ? share() : given;
  }

  /** Returns how many handlers each queue has; by default all queues together have one share. */
  public int handlersPerQueue(@Nullable Integer given, int queues) {
    return given == null ? Math.max(1, share() / Math.max(1, queues)) : given;
  }

  private int share() {
    @Nullable Integer connections = pool.connections();
    if (connections == null) {
      return MOST_HANDLERS;
    }
    int beside = 0;
    int given = 0;
    int sharing = 0;
    for (Part part : parts.get()) {
      beside += part.beside();
      given += part.given() == null ? 0 : part.given() * part.times();
      sharing += part.given() == null ? 1 : 0;
    }
    int room = Math.min(connections / 2, connections - beside) - given;
    return Math.max(1, Math.min(MOST_HANDLERS, room / Math.max(1, sharing)));
  }

  /** Returns a text that says why the numbers do not fit, and which would; empty if they fit. */
  public Optional<String> warning() {
    @Nullable Integer connections = pool.connections();
    List<Part> all = parts.get();
    int handlers = all.stream().mapToInt(this::handlersOf).sum();
    int beside = all.stream().mapToInt(Part::beside).sum();
    int needed = Math.max(2 * handlers, handlers + beside);
    if (connections == null || handlers == 0 || needed <= connections) {
      return Optional.empty();
    }
    String sum =
        all.stream()
            .filter(part -> part.times() > 0)
            .sorted(Comparator.comparing(Part::property))
            .map(part -> "%s=%d".formatted(part.property(), handlersOf(part)))
            .collect(Collectors.joining(", "));
    return Optional.of(
        "handlers can use up the %d connections of the pool and keep requests and the relay waiting: %d run at once (%s), beside %d connections of relay, inbox and command bus; raise the pool to %d, or lower those numbers"
            .formatted(connections, handlers, sum, beside, needed));
  }

  private int handlersOf(Part part) {
    return part.given() == null ? share() : part.given() * part.times();
  }
}
