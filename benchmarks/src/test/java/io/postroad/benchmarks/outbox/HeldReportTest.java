package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldReportTest {
  private static final Entrant FAST = entrant("limit-log");
  private static final Entrant SLOW = entrant("limit-queue");

  private final Scoreboard scoreboard = new Scoreboard("postgres", List.of(FAST, SLOW));

  @Test
  void eachContenderIsComparedWithItself() {
    add(FAST, "drain", 1_000, 2);
    add(FAST, "drain-held-reader", 900, 2);
    add(FAST, "drain-held-writer", 1_000, 4);
    add(SLOW, "drain", 100, 10);
    add(SLOW, "drain-held-reader", 50, 20);
    add(SLOW, "drain-held-writer", 100, 10);
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    new HeldReport().print(scoreboard, new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .contains(
            line("limit-log.drain-held-reader 900 events/s ratio-to-unheld=0.90"),
            line("limit-log.drain-held-reader-buffers 2.00 buffers/event ratio-to-unheld=1.00"),
            line("limit-log.drain-held-writer-buffers 4.00 buffers/event ratio-to-unheld=2.00"),
            line("limit-queue.drain-held-reader 50 events/s ratio-to-unheld=0.50"),
            line("limit-queue.drain-held-reader-buffers 20.00 buffers/event ratio-to-unheld=2.00"));
  }

  private static String line(String text) {
    return "bench outbox postgres " + text;
  }

  private static Entrant entrant(String label) {
    return new Entrant(label, true);
  }

  private void add(Entrant entrant, String measure, double rate, double buffers) {
    scoreboard.add(
        entrant,
        List.of(
            new Figure(measure, rate, Figure.Unit.EVENTS_PER_SECOND),
            new Figure(measure + "-buffers", buffers, Figure.Unit.BUFFERS_PER_EVENT)));
  }
}
