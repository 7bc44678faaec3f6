package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RelayKillTest {
  private static final int KILLS = Length.of(1, 4);

  /** Kills go on until one meets messages in flight. */
  private static final int MOST_KILLS = 6;

  private static final long WITHIN_A_CYCLE_NANOS = Duration.ofMillis(30).toNanos();

  @ParameterizedTest
  @EnumSource
  void relaysKilledAtRandomMomentsUnderLoadLoseNothing(Product product) throws Exception {
    Seed seed = Seed.printed("relay kills on " + product);
    SplittableRandom random = seed.random();
    Map<String, Integer> signals = new TreeMap<>();
    long inFlight = 0;
    int kills = 0;
    try (Scene scene = product.scene(StoreKind.COMPETING);
        Writers writers = Writers.start(scene, seed)) {
      RelayChild[] relays = {scene.startRelay("relay-0.0"), scene.startRelay("relay-1.0")};
      try {
        while (kills < KILLS || (inFlight == 0 && kills < MOST_KILLS)) {
          scene.awaitMoreDelivered(100 + random.nextInt(400), seed);
          LockSupport.parkNanos(random.nextLong(WITHIN_A_CYCLE_NANOS));
          int victim = random.nextInt(relays.length);
          relays[victim].kill();
          inFlight += scene.leasedBy(relays[victim].name());
          relays[victim]
              .totals()
              .forEach((signal, count) -> signals.merge(signal, count, Integer::sum));
          relays[victim].close();
          kills++;
          relays[victim] = scene.startRelay("relay-" + victim + "." + kills);
        }
        writers.close();
        scene.awaitRest(seed::toString);
      } finally {
        for (RelayChild relay : relays) {
          relay.totals().forEach((signal, count) -> signals.merge(signal, count, Integer::sum));
          relay.close();
        }
      }

      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf(
          "relay kills on %s: %s; kills=%d in-flight-at-kill=%d rolled-back=%d; relays said at least %s; %s%n",
          product, findings, kills, inFlight, writers.rolledBack(), signals, seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
      assertThat(writers.failed()).as("failed transactions; %s", seed).isZero();
      assertThat(writers.rolledBack()).as("rolled back; %s", seed).isPositive();
      assertThat(inFlight).as("messages in flight at a kill; %s", seed).isPositive();
    }
  }
}
