package io.postroad.command;

import io.postroad.internal.loop.Check;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The context of a command, for its handler. Used by the thread that runs the handler.
 *
 * @param commandId the same for every attempt
 * @param type the command's type, for example {@code CreateOrder}
 * @param idempotencyKey the same for two requests of one command
 * @param businessKey the subject of the command, for example the number of an order
 * @param correlationId of the sender, for the reply
 * @param headers of the sender; cannot be changed
 * @param attempt which execution this is, 1 for the first
 * @param transaction the transaction in which the handler runs; the reply is written in it too
 * @param <T> the type of a transaction of the database
 */
public record CommandContext<T>(
    UUID commandId,
    String type,
    String idempotencyKey,
    String businessKey,
    UUID correlationId,
    Map<String, String> headers,
    int attempt,
    T transaction) {

  public CommandContext {
    headers = Map.copyOf(headers);
    Check.atLeast(1, attempt, "attempt");
  }

  private static final ThreadLocal<@Nullable CommandContext<?>> CURRENT = new ThreadLocal<>();

  /**
   * Returns the context of the handler that this thread is in, for methods of beans, which only get
   * the command. Empty outside of a handler, and on threads that a handler has started.
   */
  public static Optional<CommandContext<?>> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** The work of a handler. */
  public interface Handling<T, R> {
    R with(CommandContext<T> context) throws Exception;
  }

  /** Does the work with this context as the current one. */
  public static <T, R> R with(CommandContext<T> context, Handling<T, R> handling) throws Exception {
    @Nullable CommandContext<?> outer = CURRENT.get();
    CURRENT.set(context);
    try {
      return handling.with(context);
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }
}
