package io.postroad.internal.process.dsl;

import io.postroad.process.Node;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** A wait for a time or for a signal. */
record Pause(String id, String naming, Function<Optional<String>, Node> node) implements Part {

  static Pause waiting(String name, Duration duration) {
    Checks.name("wait", name);
    Checks.positive("the duration of wait '%s'".formatted(name), duration);
    return new Pause(
        name, "thenWait(\"second-wait\", ..)", next -> new Node.Wait(name, duration, next));
  }

  static Pause awaiting(String name, String signal) {
    return awaiting(name, signal, Optional.empty());
  }

  static Pause awaiting(String name, String signal, Duration timeout) {
    Checks.positive("the timeout of signal '%s'".formatted(signal), timeout);
    return awaiting(name, signal, Optional.of(timeout));
  }

  private static Pause awaiting(String name, String signal, Optional<Duration> timeout) {
    Checks.name("signal", signal);
    Checks.name("wait for signal '%s'".formatted(signal), name);
    return new Pause(
        name,
        "thenAwait(\"second-%s\", \"%s\")".formatted(signal, signal),
        next -> new Node.Await(name, signal, timeout, next));
  }

  @Override
  public void assemble(Assembly assembly, Optional<String> next) {
    assembly.add(node.apply(next));
  }
}
