package io.postroad.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessBenchTest {

  @ParameterizedTest
  @EnumSource
  void everyFigureIsPrinted(ProcessBench.Server server) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int code =
        new ProcessBench(server, 1, 1, 40)
            .run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines().map(line -> measure(server, line)))
        .containsExactly(
            "processes",
            "limit.processes",
            "p50",
            "limit.p50",
            "commits",
            "limit.commits",
            "round-trips",
            "limit.round-trips",
            "threshold",
            "threshold");
  }

  private static String measure(ProcessBench.Server server, String line) {
    assertThat(line).startsWith("bench process " + server.name().toLowerCase(Locale.ROOT) + " ");
    return line.split(" ")[3];
  }

  @Test
  void anUnknownArgumentIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcessBench.parse(List.of("--fast")))
        .withMessageContaining("--fast");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcessBench.parse(List.of("--store", "oracle")))
        .withMessageContaining("postgres, mongodb")
        .withMessageContaining("oracle");
  }
}
