package io.postroad.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessBenchTest {

  @Test
  void everyFigureIsPrinted() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int code =
        new ProcessBench(1, 40)
            .run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines().map(ProcessBenchTest::measure))
        .containsExactly(
            "processes",
            "limit.processes",
            "p50",
            "limit.p50",
            "commits",
            "limit.commits",
            "statements",
            "limit.statements",
            "threshold",
            "threshold");
  }

  private static String measure(String line) {
    assertThat(line).startsWith("bench process postgres ");
    return line.split(" ")[3];
  }

  @Test
  void anUnknownArgumentIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcessBench.parse(List.of("--fast")))
        .withMessageContaining("--fast");
  }
}
