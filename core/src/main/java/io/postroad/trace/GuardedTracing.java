package io.postroad.trace;

import io.postroad.message.TraceContext;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the failures of a tracing and keeps them from callers. */
final class GuardedTracing implements Tracing {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);

  private final Tracing tracing;

  GuardedTracing(Tracing tracing) {
    this.tracing = tracing;
  }

  @Override
  public Span start(Operation operation) {
    return guarded("start", () -> new GuardedSpan(tracing.start(operation)), Span.none());
  }

  private static <R> R guarded(String what, Supplier<R> call, R otherwise) {
    try {
      return call.get();
    } catch (RuntimeException | Error failed) {
      LOG.warn("tracing failed, the work continues without it; call={}", what, failed);
      return otherwise;
    }
  }

  private static void guarded(String what, Runnable call) {
    boolean unused =
        guarded(
            what,
            () -> {
              call.run();
              return true;
            },
            false);
  }

  private record GuardedSpan(Span span) implements Span {
    @Override
    public Optional<TraceContext> context() {
      return guarded("context", span::context, Optional.empty());
    }

    @Override
    public Scope open() {
      Scope scope = guarded("open", span::open, () -> {});
      return () -> guarded("close", scope::close);
    }

    @Override
    public void failed(Throwable failure) {
      guarded("failed", () -> span.failed(failure));
    }

    @Override
    public void end() {
      guarded("end", span::end);
    }
  }
}
