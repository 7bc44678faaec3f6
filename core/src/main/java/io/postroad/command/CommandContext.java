package io.postroad.command;

import io.postroad.internal.loop.Check;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has besides the command. Used by the thread that runs the handler, while it does.
 *
 * @param commandId the same for every attempt
 * @param type the command's type, for example {@code CreateOrder}
 * @param idempotencyKey what makes two requests the same command
 * @param businessKey what the command is about, for example an order's number
 * @param correlationId what the sender knows the conversation by
 * @param headers what the sender gave along; cannot be changed
 * @param attempt which execution this is, 1 for the first
 * @param transaction the transaction in which the handler runs; the reply is written in it too
 * @param <T> what a transaction of the database is
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
   * That of the handler which this thread is in, for what a handler calls and for methods of beans,
   * which are handed the command only. Empty outside of one, and on threads that a handler started.
   */
  public static Optional<CommandContext<?>> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** What a handler does. */
  public interface Handling<T, R> {
    R with(CommandContext<T> context) throws Exception;
  }

  /** Does it with this context as the current one. */
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
