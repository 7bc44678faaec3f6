package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every measure with every contender on real servers. */
class OutboxBenchTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @ParameterizedTest
  @EnumSource
  void everyFigureIsPrintedAndNoEventIsLost(BenchStore store) {
    int exitCode = run(store, Programme.smoke(store));

    assertThat(exitCode).isZero();
    String log = store == BenchStore.POSTGRES ? "wal" : "oplog";
    List<String> patterns = new ArrayList<>();
    for (String figure :
        List.of(
            "enqueue \\d+ tx/s",
            "drain \\d+ events/s",
            "drain-" + log + " \\d+\\.\\d bytes/event",
            "drain-statements \\d\\.\\d{4} statements/event",
            "latency-p50 \\d+\\.\\d\\d ms",
            "latency-p99 \\d+\\.\\d\\d ms",
            "mixed \\d+ events/s",
            "mixed-" + log + " \\d+\\.\\d bytes/event",
            "mixed-statements \\d\\.\\d{4} statements/event")) {
      participants(store, "enqueue")
          .forEach(each -> patterns.add(each.nameOf(figure) + ratio(figure)));
    }
    List<String> measures = new ArrayList<>(List.of("enqueue", "drain", "latency", "mixed"));
    if (store == BenchStore.MONGODB) {
      measures.add(HotKeyMeasure.NAME);
      for (String figure :
          List.of("hot-key \\d+ tx/s", "hot-key-transactions \\d+\\.\\d\\d transactions/append")) {
        participants(store, HotKeyMeasure.NAME)
            .forEach(each -> patterns.add(each.nameOf(figure) + ratio(figure)));
      }
    }
    measures.forEach(measure -> patterns.addAll(verifications(store, measure)));
    patterns.addAll(verifications(store, "all"));
    assertPrinted(store, patterns);
  }

  private static String ratio(String figure) {
    boolean isCost = figure.endsWith("/event") || figure.endsWith("/append");
    return isCost ? "" : " ratio-to-limit=\\d+\\.\\d\\d limit=limit-(queue|log)";
  }

  @Test
  void noEventIsLostWithOpenTransactions() {
    int exitCode = run(BenchStore.POSTGRES, Programme.heldSmoke());

    assertThat(exitCode).isZero();
    List<String> patterns = new ArrayList<>();
    for (String measure : List.of("drain", "drain-held-reader", "drain-held-writer")) {
      for (Entrant each : BenchStore.POSTGRES.entrants()) {
        String name = each.nameOf(measure);
        patterns.add(name + " \\d+ events/s ratio-to-unheld=\\d+\\.\\d\\d");
        patterns.add(name + "-buffers \\d+\\.\\d\\d buffers/event ratio-to-unheld=\\d+\\.\\d\\d");
      }
    }
    for (String measure : List.of("drain", "drain-held-reader", "drain-held-writer", "all")) {
      patterns.addAll(verifications(BenchStore.POSTGRES, measure));
    }
    assertPrinted(BenchStore.POSTGRES, patterns);
  }

  @ParameterizedTest
  @EnumSource(BenchStore.class)
  void noEventIsLostWithBlockedKeys(BenchStore store) {
    List<Entrant> postroad = store.entrants().stream().filter(Entrant::isSubject).toList();

    int exitCode =
        new OutboxBench(store, Programme.blockedSmoke(), postroad)
            .run(utf8(out), utf8(new ByteArrayOutputStream()));

    assertThat(exitCode).isZero();
    String unit = store == BenchStore.POSTGRES ? "buffers/event" : "documents/event";
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("drain-parked ")
        .containsPattern("drain-parked-reads \\d+\\.\\d\\d " + unit + " ratio-to-unparked=")
        .contains("threshold drain-parked ratio-to-limit=");
  }

  private static List<Entrant> participants(BenchStore store, String measure) {
    return store.entrants().stream()
        .filter(each -> each.onlyIn().isEmpty() || each.onlyIn().contains(measure))
        .toList();
  }

  private static List<String> verifications(BenchStore store, String measure) {
    List<Entrant> entrants =
        measure.equals("all") ? store.entrants() : participants(store, measure);
    return entrants.stream()
        .map(
            each ->
                "verify lost=0 duplicated=\\d+ out-of-order=%1$s keys-out-of-order=%1$s contender=%2$s measure=%3$s"
                    .formatted(each.keepsOrder() ? "0" : "\\d+", each.label(), measure))
        .toList();
  }

  private void assertPrinted(BenchStore store, List<String> patterns) {
    List<String> lines =
        out.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.contains(" threshold "))
            .toList();
    assertThat(lines).hasSameSizeAs(patterns);
    for (int i = 0; i < patterns.size(); i++) {
      assertThat(lines.get(i))
          .matches("bench outbox %s ".formatted(store.label()) + patterns.get(i));
    }
  }

  private int run(BenchStore store, Programme programme) {
    return new OutboxBench(store, programme, store.entrants())
        .run(utf8(out), utf8(new ByteArrayOutputStream()));
  }

  private static PrintStream utf8(ByteArrayOutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }
}
