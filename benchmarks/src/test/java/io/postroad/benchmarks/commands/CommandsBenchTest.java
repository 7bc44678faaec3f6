package io.postroad.benchmarks.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandsBenchTest {

  @Test
  void everyFigureIsPrinted() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int code =
        new CommandsBench(1, 60)
            .run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines().map(CommandsBenchTest::measure))
        .containsExactly(
            "accept",
            "limit.accept",
            "handle",
            "limit.handle",
            "commits",
            "limit.commits",
            "threshold");
  }

  private static String measure(String line) {
    assertThat(line).startsWith("bench commands postgres ");
    return line.split(" ")[3];
  }

  @Test
  void anUnknownArgumentIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandsBench.parse(List.of("--fast")))
        .withMessageContaining("--fast");
  }
}
