package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitReportTest {
  private static final Entrant POSTROAD = entrant("postroad", true);
  private static final Entrant QUEUE = entrant("limit-queue", false);
  private static final Entrant LOG = entrant("limit-log", true);

  private final Scoreboard scoreboard = new Scoreboard("postgres", List.of(POSTROAD, QUEUE, LOG));

  @Test
  void aMachineThatGetsSlowerDoesNotChangeTheRatio() {
    add("enqueue", POSTROAD, 9_000, 6_300, 4_500);
    add("enqueue", QUEUE, 10_000, 7_000, 5_000);
    add("enqueue", LOG, 5_000, 3_500, 2_500);

    assertThat(print())
        .startsWith(
            "bench outbox postgres enqueue 6300 tx/s ratio-to-limit=0.90 limit=limit-queue",
            "bench outbox postgres limit-queue.enqueue 7000 tx/s"
                + " ratio-to-limit=1.00 limit=limit-queue",
            "bench outbox postgres limit-log.enqueue 3500 tx/s"
                + " ratio-to-limit=0.50 limit=limit-queue");
  }

  @Test
  void aRoundWithAPauseOfTheMachineDoesNotChangeTheRatio() {
    add("enqueue", POSTROAD, 9_000, 9_000, 9_000, 1_000);
    add("enqueue", QUEUE, 10_000, 10_000, 10_000, 10_000);
    add("enqueue", LOG, 5_000, 5_000, 5_000, 5_000);

    assertThat(print())
        .contains("bench outbox postgres enqueue 9000 tx/s ratio-to-limit=0.90 limit=limit-queue");
  }

  @Test
  void theBetterLimitIsTheFasterOneInEachFigure() {
    add("drain", POSTROAD, 80_000);
    add("drain", QUEUE, 50_000);
    add("drain", LOG, 100_000);
    addMillis("latency-p50", POSTROAD, 3);
    addMillis("latency-p50", QUEUE, 1);
    addMillis("latency-p50", LOG, 2);

    assertThat(print())
        .contains(
            "bench outbox postgres drain 80000 tx/s ratio-to-limit=0.80 limit=limit-log",
            "bench outbox postgres latency-p50 3.00 ms ratio-to-limit=3.00 limit=limit-queue");
  }

  @Test
  void aReachedThresholdPassesAndAnotherIsMissed() {
    add("drain", POSTROAD, 70);
    add("drain", QUEUE, 100);
    add("drain", LOG, 50);
    addMillis("latency-p50", POSTROAD, 2.1);
    addMillis("latency-p50", QUEUE, 1);
    addMillis("latency-p50", LOG, 2);
    add("mixed", POSTROAD, 89);
    add("mixed", QUEUE, 100);
    add("mixed", LOG, 100);

    assertThat(print().stream().filter(line -> line.contains(" threshold ")))
        .satisfiesExactly(
            drain ->
                assertThat(drain)
                    .isEqualTo(
                        "bench outbox postgres threshold drain"
                            + " ratio-to-limit=0.70 limit=limit-queue at-least=0.70 pass"),
            latency ->
                assertThat(latency)
                    .startsWith(
                        "bench outbox postgres threshold latency-p50"
                            + " ratio-to-limit=2.10 limit=limit-queue at-most=2.00 MISSED"),
            mixed ->
                assertThat(mixed)
                    .startsWith(
                        "bench outbox postgres threshold mixed"
                            + " ratio-to-limit=0.89 limit=limit-queue at-least=0.90 MISSED"));
  }

  @Test
  void onMongoDbEnqueueIsComparedWithTheLimitThatKeepsOrder() {
    add("enqueue", POSTROAD, 90);
    add("enqueue", QUEUE, 200);
    add("enqueue", LOG, 100);

    assertThat(print(BenchStore.MONGODB))
        .anyMatch(line -> line.contains(" enqueue 90 tx/s ratio-to-limit=0.45 limit=limit-queue"))
        .anyMatch(
            line ->
                line.endsWith(
                    "threshold enqueue ratio-to-limit=0.90 limit=limit-log at-least=0.85 pass"));
  }

  @Test
  void anEntrantThatDidNotTakePartHasNoLine() {
    add("hot-key", LOG, 100);
    add("hot-key", QUEUE, 50);

    assertThat(print().stream().filter(line -> line.contains("hot-key ")))
        .containsExactly(
            "bench outbox postgres limit-queue.hot-key 50 tx/s ratio-to-limit=0.50 limit=limit-log",
            "bench outbox postgres limit-log.hot-key 100 tx/s ratio-to-limit=1.00 limit=limit-log");
  }

  @Test
  void costsAreNotCompared() {
    for (Entrant entrant : scoreboard.entrants()) {
      scoreboard.add(entrant, List.of(new Figure("drain-wal", 0, Figure.Unit.LOG_BYTES_PER_EVENT)));
    }

    assertThat(print()).startsWith("bench outbox postgres drain-wal 0.0 bytes/event");
  }

  @Test
  void verificationsArePrintedPerMeasureAndInTotal() {
    scoreboard.add(POSTROAD, "drain", new Verification(0, 2, 3, 1, 0));
    scoreboard.add(POSTROAD, "mixed", new Verification(1, 0, 1, 1, 0));
    scoreboard.add(POSTROAD, "mixed", new Verification(1, 0, 0, 0, 0));

    assertThat(print())
        .startsWith(
            "bench outbox postgres verify lost=0 duplicated=2 out-of-order=3 keys-out-of-order=1"
                + " contender=postroad measure=drain",
            "bench outbox postgres verify lost=2 duplicated=0 out-of-order=1 keys-out-of-order=1"
                + " contender=postroad measure=mixed",
            "bench outbox postgres verify lost=2 duplicated=2 out-of-order=4 keys-out-of-order=2"
                + " contender=postroad measure=all",
            "bench outbox postgres verify lost=0 duplicated=0 out-of-order=0 keys-out-of-order=0"
                + " contender=limit-queue measure=all");
  }

  @Test
  void lostOrderBreaksOnlyAGuaranteeOfOrder() {
    Verification outOfOrder = new Verification(0, 0, 1, 1, 0);
    scoreboard.add(POSTROAD, "mixed", outOfOrder);
    scoreboard.add(QUEUE, "mixed", outOfOrder);
    scoreboard.add(LOG, "mixed", new Verification(0, 5, 0, 0, 0));

    assertThat(scoreboard.brokenPromises()).containsExactly(POSTROAD);
  }

  @Test
  void lostEventsBreakTheGuaranteeOfEveryContender() {
    scoreboard.add(QUEUE, "mixed", new Verification(1, 0, 0, 0, 0));
    scoreboard.add(LOG, "mixed", new Verification(0, 0, 0, 0, 1));

    assertThat(scoreboard.brokenPromises()).containsExactly(QUEUE, LOG);
  }

  private static Entrant entrant(String label, boolean keepsOrder) {
    return new Entrant(label, keepsOrder);
  }

  private void add(String figure, Entrant entrant, double... values) {
    for (double value : values) {
      scoreboard.add(
          entrant, List.of(new Figure(figure, value, Figure.Unit.TRANSACTIONS_PER_SECOND)));
    }
  }

  private void addMillis(String figure, Entrant entrant, double value) {
    scoreboard.add(entrant, List.of(new Figure(figure, value, Figure.Unit.MILLIS)));
  }

  private List<String> print() {
    return print(BenchStore.POSTGRES);
  }

  private List<String> print(BenchStore store) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new LimitReport(store.thresholds())
        .print(scoreboard, new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
