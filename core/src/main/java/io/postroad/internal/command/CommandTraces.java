package io.postroad.internal.command;

import io.postroad.command.CommandRequest;
import io.postroad.message.TraceContext;
import io.postroad.message.WireHeaders;
import io.postroad.spi.NewCommand;
import io.postroad.trace.Operation;
import io.postroad.trace.Operation.Verb;
import io.postroad.trace.Tracing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Traces commands. The headers of a command carry the context of its creation, in its row and in
 * its message. Safe to use from many threads.
 */
public record CommandTraces(Tracing tracing) {

  /** Accepts a command inside a span; a command that brings a context keeps it. */
  <R> R created(NewCommand command, Function<NewCommand, R> accept) {
    if (!tracing.isOn() || TraceContext.in(command.headers()).isPresent()) {
      return accept.apply(command);
    }
    return tracing.follow(
        () -> operation(Verb.CREATE, command, Optional.empty()),
        span -> accept.apply(span.context().map(trace -> with(trace, command)).orElse(command)));
  }

  /** Runs a command inside a span; its messages and its reply belong to that. */
  void handled(CommandRun<?> run) {
    NewCommand command = run.claim().command();
    boolean unused =
        tracing.follow(
            () -> operation(Verb.PROCESS, command, TraceContext.in(command.headers())),
            span -> {
              run.run();
              run.failure().ifPresent(span::failed);
              return true;
            });
  }

  private static Operation operation(Verb verb, NewCommand command, Optional<TraceContext> from) {
    String destination = command.destination().orElse(command.type());
    return new Operation(verb, destination, command.type(), command.id().toString(), from);
  }

  /** Adds the context to the headers, unless they are full or cannot carry it. */
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
