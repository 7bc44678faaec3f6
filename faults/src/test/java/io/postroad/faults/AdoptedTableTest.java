package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that a team made, under load. */
class AdoptedTableTest {
  private static final int KILLS = Length.of(1, 3);

  /** Kills go on until one meets messages in flight. */
  private static final int MOST_KILLS = 6;

  private static final long WITHIN_A_CYCLE_NANOS = Duration.ofMillis(30).toNanos();

  @ParameterizedTest
  @EnumSource
  void relaysKilledAtRandomMomentsLoseNothing(StoreKind kind) throws Exception {
    Seed seed = Seed.printed("relay kills on an adopted table, " + kind);
    SplittableRandom random = seed.random();
    long inFlight = 0;
    int kills = 0;
    try (AdoptedScene scene = AdoptedScene.of(kind);
        Writers writers = Writers.start(scene, seed)) {
      RelayChild[] relays = {scene.startRelay("relay-0.0"), scene.startRelay("relay-1.0")};
      try {
        while (kills < KILLS || (inFlight == 0 && kills < MOST_KILLS)) {
          scene.awaitMoreDelivered(100 + random.nextInt(200), seed);
          LockSupport.parkNanos(random.nextLong(WITHIN_A_CYCLE_NANOS));
          int victim = random.nextInt(relays.length);
          relays[victim].kill();
          inFlight += scene.leasedBy(relays[victim].name());
          relays[victim].close();
          kills++;
          relays[victim] = scene.startRelay("relay-" + victim + "." + kills);
        }
        writers.close();
        scene.awaitRest(seed::toString);
      } finally {
        for (RelayChild relay : relays) {
          relay.close();
        }
      }
      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf(
          "relay kills on an adopted table, %s: %s; kills=%d in-flight-at-kill=%d; %s%n",
          kind, findings, kills, inFlight, seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
      assertThat(writers.failed()).as("failed transactions; %s", seed).isZero();
    }
  }

  /** The switch: the old poller alone, both, Postroad alone; the service writes all the time. */
  @Test
  void theOldPollerAndPostroadSideBySideLoseNothing() throws Exception {
    Seed seed = Seed.printed("side by side");
    try (AdoptedScene scene = AdoptedScene.of(StoreKind.COMPETING);
        Writers writers = Writers.start(scene, seed)) {
      int byOldPoller;
      try (OldPoller old = new OldPoller(scene.sql().jdbcUrl(), scene.bootstrapServers())) {
        scene.awaitMoreDelivered(100, seed);
        try (RelayChild relay = scene.startRelay("relay-0")) {
          scene.awaitMoreDelivered(300, seed);
          byOldPoller = old.published();
          old.close();
          scene.awaitMoreDelivered(200, seed);
          writers.close();
          scene.awaitRest(seed::toString);
        }
      }
      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf(
          "side by side: %s; published by the old poller=%d; %s%n", findings, byOldPoller, seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
      assertThat(byOldPoller).as("the old poller did its part; %s", seed).isPositive();
      assertThat(findings.duplicates())
          .as("only what the old poller sent; %s", seed)
          .isLessThanOrEqualTo(byOldPoller + 100);
    }
  }
}
