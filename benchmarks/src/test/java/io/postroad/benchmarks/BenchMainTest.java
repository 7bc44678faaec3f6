package io.postroad.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchMainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void withoutArgumentsTheUsageIsPrinted() {
    assertThat(run()).isEqualTo(BenchMain.WRONG_USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("usage: bin/bench outbox");
    assertThat(out.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "inbox",
        "--quick",
        "outbox --fast",
        "outbox --only",
        "outbox --only drain,fly",
        "outbox --contenders",
        "outbox --contenders limit-log,limit",
        "outbox --held --only drain",
        "outbox --store",
        "outbox --store oracle",
        "outbox --held --store mongodb",
        "outbox --only hot-key",
        "outbox --contenders counter-inside",
        "pickup --quick",
        "pickup --store oracle"
      })
  void wrongArgumentsPrintTheUsage(String arguments) {
    assertThat(run(arguments.split(" "))).isEqualTo(BenchMain.WRONG_USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: bin/bench outbox");
  }

  @Test
  void theErrorNamesTheWrongArgumentAndTheAllowedOnes() {
    run("outbox", "--only", "fly");

    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("bench: --only takes some of [enqueue, drain, latency, mixed], got: fly");
  }

  private int run(String... arguments) {
    return BenchMain.run(
        List.of(arguments),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }
}
