package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every measure with every contender on real servers. */
class OutboxBenchTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void everyFigureIsPrintedAndNothingIsLost() {
    int exitCode = run(Programme.smoke(BenchStore.POSTGRES));

    assertThat(exitCode).isZero();
    List<String> patterns = new ArrayList<>();
    for (String figure :
        List.of(
            "enqueue \\d+ tx/s",
            "drain \\d+ events/s",
            "drain-wal \\d+\\.\\d bytes/event",
            "drain-statements \\d\\.\\d{4} statements/event",
            "latency-p50 \\d+\\.\\d\\d ms",
            "latency-p99 \\d+\\.\\d\\d ms",
            "mixed \\d+ events/s",
            "mixed-wal \\d+\\.\\d bytes/event",
            "mixed-statements \\d\\.\\d{4} statements/event")) {
      String ratio =
          figure.endsWith("/event") ? "" : " ratio-to-limit=\\d+\\.\\d\\d limit=limit-(queue|log)";
      BenchStore.POSTGRES.entrants().forEach(each -> patterns.add(each.nameOf(figure) + ratio));
    }
    patterns.addAll(verifications("enqueue", "drain", "latency", "mixed", "all"));
    assertPrinted(patterns);
  }

  @Test
  void withTransactionsHeldOpenNothingIsLostEither() {
    int exitCode = run(Programme.heldSmoke());

    assertThat(exitCode).isZero();
    List<String> patterns = new ArrayList<>();
    for (String measure : List.of("drain", "drain-held-reader", "drain-held-writer")) {
      for (Entrant each : BenchStore.POSTGRES.entrants()) {
        String name = each.nameOf(measure);
        patterns.add(name + " \\d+ events/s ratio-to-unheld=\\d+\\.\\d\\d");
        patterns.add(name + "-buffers \\d+\\.\\d\\d buffers/event ratio-to-unheld=\\d+\\.\\d\\d");
      }
    }
    patterns.addAll(verifications("drain", "drain-held-reader", "drain-held-writer", "all"));
    assertPrinted(patterns);
  }

  private static List<String> verifications(String... measures) {
    return Stream.of(measures)
        .flatMap(
            measure ->
                BenchStore.POSTGRES.entrants().stream()
                    .map(
                        each ->
                            "verify lost=0 duplicated=\\d+ out-of-order=%1$s keys-out-of-order=%1$s contender=%2$s measure=%3$s"
                                .formatted(
                                    each.keepsOrder() ? "0" : "\\d+", each.label(), measure)))
        .toList();
  }

  private void assertPrinted(List<String> patterns) {
    List<String> lines =
        out.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.contains(" threshold "))
            .toList();
    assertThat(lines).hasSameSizeAs(patterns);
    for (int i = 0; i < patterns.size(); i++) {
      assertThat(lines.get(i)).matches("bench outbox postgres " + patterns.get(i));
    }
  }

  private int run(Programme programme) {
    return new OutboxBench(BenchStore.POSTGRES, programme, BenchStore.POSTGRES.entrants())
        .run(utf8(out), utf8(new ByteArrayOutputStream()));
  }

  private static PrintStream utf8(ByteArrayOutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }
}
