package io.postroad.command;

import io.postroad.engine.Check;
import java.util.Map;
import java.util.UUID;

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
}
