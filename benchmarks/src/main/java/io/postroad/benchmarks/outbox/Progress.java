package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Prints the progress to stderr, with the seconds since the start. */
final class Progress {
  private final PrintStream err;
  private final long began = System.nanoTime();

  Progress(PrintStream err) {
    this.err = err;
  }

  void say(String text) {
    Duration since = Duration.ofNanos(System.nanoTime() - began);
    err.printf("[%3ds] %s%n", since.toSeconds(), text);
  }

  void round(Measure measure, int number, Entrant entrant, List<Figure> figures) {
    String values =
        figures.stream()
            .map(figure -> figure.name() + " " + figure.unit().print(figure.value()))
            .collect(Collectors.joining(", "));
    say(
        "%s round %d/%d %s: %s"
            .formatted(measure.name(), number, measure.rounds(), entrant.label(), values));
  }
}
