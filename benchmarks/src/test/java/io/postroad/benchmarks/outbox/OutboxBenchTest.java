package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every measure with every contender on real servers. */
class OutboxBenchTest {
  @Test
  void everyFigureIsPrintedAndNothingIsLost() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int exitCode =
        new OutboxBench(Programme.smoke()).run(utf8(out), utf8(new ByteArrayOutputStream()));

    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(12);
    assertMatch(
        lines.subList(0, 10),
        Stream.of(
                "enqueue \\d+ tx/s",
                "drain \\d+ events/s",
                "latency-p50 \\d+\\.\\d\\d ms",
                "latency-p99 \\d+\\.\\d\\d ms",
                "mixed \\d+ events/s")
            .flatMap(figure -> Stream.of(figure, "limit\\." + figure))
            .map(figure -> "bench outbox postgres " + figure + " ratio-to-limit=\\d+\\.\\d\\d")
            .toList());
    assertMatch(
        lines.subList(10, 12),
        Stream.of("postroad", "limit")
            .map(
                contender ->
                    "bench outbox postgres verify lost=0 duplicated=\\d+ out-of-order=\\d+"
                        + " contender="
                        + contender)
            .toList());
    assertThat(exitCode).isZero();
  }

  private static void assertMatch(List<String> lines, List<String> patterns) {
    for (int i = 0; i < patterns.size(); i++) {
      assertThat(lines.get(i)).matches(Pattern.compile(patterns.get(i)));
    }
  }

  private static PrintStream utf8(ByteArrayOutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }
}
