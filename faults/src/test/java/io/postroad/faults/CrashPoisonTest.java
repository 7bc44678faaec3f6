package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A message that kills every relay that sends it must not keep the others from arriving. */
class CrashPoisonTest {
  private static final Duration SEND_TIMEOUT = Duration.ofMillis(600);
  private static final int MAX_ATTEMPTS = 2;
  private static final int MOST_CRASHES = 12;
  private static final String DEAD = "SELECT outbox_id FROM outbox WHERE status = 'FAILED'";

  @Test
  void aMessageThatKillsItsRelaysEndsAsADeadLetterAndNoOtherDoes() throws Exception {
    Seed seed = Seed.printed("crash poison");
    int crashes = 0;
    try (PostgresScene scene =
            PostgresScene.ordered(PostgresServer.shared(), KafkaServer.shared());
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 1, SEND_TIMEOUT, MAX_ATTEMPTS)) {
      scene.awaitMoreDelivered(300, seed);
      LaneChild relay = nodes.active();
      Message poison = scene.bookings().event(Bookings.POISON, "poisoned", "1");
      Message follower = scene.bookings().event("poisoned", 2);
      scene.bookings().write(List.of(poison), () -> {});
      scene.bookings().write(List.of(follower), () -> {});
      writers.awaitMore(500, seed);
      // What a single relay has to catch up with is bounded, not what it withstands.
      writers.close();

      while (scene.sql().ids(DEAD).isEmpty()) {
        LaneChild running = relay;
        Eventually.await(
            Duration.ofMinutes(3),
            () -> !running.isAlive() || !scene.sql().ids(DEAD).isEmpty(),
            () -> "the relay neither dies nor gives up: " + running.output());
        if (!running.isAlive()) {
          assertThat(running.awaitExit()).isEqualTo(StoppingSender.POISONED);
          crashes++;
          assertThat(crashes).as("crashes; %s", seed).isLessThanOrEqualTo(MOST_CRASHES);
          relay = nodes.startOne().awaitReady();
        }
      }
      scene.awaitRestOf("message_key <> 'poisoned'", seed::toString);

      Set<UUID> acknowledged = new HashSet<>(writers.acknowledged());
      acknowledged.addAll(Set.of(poison.id(), follower.id()));
      Findings findings = scene.findings(acknowledged);
      System.out.printf("crash poison: %s; crashes=%d; %s%n", findings, crashes, seed);
      assertThat(crashes).as("%s", seed).isGreaterThan(MAX_ATTEMPTS);
      assertThat(findings.dead()).as("dead; %s", seed).containsExactly(poison.id());
      assertThat(findings.lost())
          .as("the poison, and what waits behind it; %s", seed)
          .containsExactlyInAnyOrder(poison.id(), follower.id());
      assertThat(findings.phantoms()).isEmpty();
      assertThat(findings.outOfOrder()).isZero();
    }
  }
}
