package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoreboardTest {
  private final Scoreboard scoreboard = new Scoreboard("postgres", List.of("postroad", "limit"));
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void aMachineThatGetsSlowerMeanwhileDoesNotChangeTheRatio() {
    enqueue("postroad", 9_000, 6_300, 4_500);
    enqueue("limit", 10_000, 7_000, 5_000);

    assertThat(print())
        .startsWith(
            "bench outbox postgres enqueue 6300 tx/s ratio-to-limit=0.90",
            "bench outbox postgres limit.enqueue 7000 tx/s ratio-to-limit=1.00");
  }

  @Test
  void aRoundInWhichTheMachineStoodStillDoesNotChangeTheRatio() {
    enqueue("postroad", 9_000, 9_000, 9_000, 1_000);
    enqueue("limit", 10_000, 10_000, 10_000, 10_000);

    assertThat(print()).contains("bench outbox postgres enqueue 9000 tx/s ratio-to-limit=0.90");
  }

  @Test
  void whatWasFoundAddsUpOverTheRounds() {
    scoreboard.add("postroad", new Verification(0, 2, 3, 0));
    scoreboard.add("limit", Verification.NOTHING);
    scoreboard.add("postroad", new Verification(1, 0, 0, 0));

    assertThat(print())
        .containsExactly(
            "bench outbox postgres verify lost=1 duplicated=2 out-of-order=3 contender=postroad",
            "bench outbox postgres verify lost=0 duplicated=0 out-of-order=0 contender=limit");
    assertThat(scoreboard.verification()).isEqualTo(new Verification(1, 2, 3, 0));
  }

  private void enqueue(String contender, double... values) {
    for (double value : values) {
      scoreboard.add(
          contender, List.of(new Figure("enqueue", value, Figure.Unit.TRANSACTIONS_PER_SECOND)));
    }
  }

  private List<String> print() {
    scoreboard.print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
