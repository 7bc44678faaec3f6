package io.postroad.internal.command;

import io.postroad.command.CommandRequest;
import io.postroad.message.TraceContext;
import io.postroad.message.WireHeaders;
import io.postroad.spi.NewCommand;
import io.postroad.trace.Operation;
import io.postroad.trace.Operation.Verb;
import io.postroad.trace.Span;
import io.postroad.trace.Tracing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Commands as they are followed: the context of a command's creation is among its headers, so that
 * it goes with its row and, where it is sent, with its message. Safe to use from many threads.
 */
public record CommandTraces(Tracing tracing) {

  /** Has a command accepted with the context of its creation; one that brings one keeps it. */
  <R> R created(NewCommand command, Function<NewCommand, R> accept) {
    if (!tracing.isOn() || TraceContext.in(command.headers()).isPresent()) {
      return accept.apply(command);
    }
    return tracing.follow(
        () -> operation(Verb.CREATE, command, Optional.empty()),
        span -> accept.apply(span.context().map(trace -> with(trace, command)).orElse(command)));
  }

  /** Has a command handled; what its handler sends, and its reply, belong to that. */
  boolean handled(CommandRun<?> run) {
    NewCommand command = run.claim().command();
    return tracing.follow(
        () -> operation(Verb.PROCESS, command, TraceContext.in(command.headers())),
        span -> handled(run, span));
  }

  private static boolean handled(CommandRun<?> run, Span span) {
    boolean ours = run.run();
    run.failure().ifPresent(span::failed);
    return ours;
  }

  private static Operation operation(Verb verb, NewCommand command, Optional<TraceContext> from) {
    String destination = command.destination().orElse(command.type());
    return new Operation(verb, destination, command.type(), command.id().toString(), from);
  }

  /** As it is, if there is no room for more headers or they cannot have it. */
  private static NewCommand with(TraceContext trace, NewCommand command) {
    Map<String, String> headers = new HashMap<>(command.headers());
    headers.putAll(trace.headers());
    try {
      trace.headers().forEach(WireHeaders::checkedValue);
    } catch (IllegalArgumentException unfit) {
      return command;
    }
    return headers.size() > CommandRequest.MAX_HEADERS ? command : command.withHeaders(headers);
  }
}
