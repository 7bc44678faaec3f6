package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The active relay is frozen (SIGSTOP) under load for three leases and goes on: it must find out
 * that its lane is another's before it changes anything, and what it still had in hand arrives as
 * repeats.
 */
class FrozenOwnerTest {
  private static final int FREEZES = 1;

  @ParameterizedTest
  @EnumSource
  void anOwnerFrozenForThreeLeasesChangesNothingWhenItGoesOn(Product product) throws Exception {
    Seed seed = Seed.printed("frozen owner on " + product);
    try (Scene scene = product.scene(StoreKind.ORDERED)) {
      ChangeWatch watch = scene.watch();
      try (Writers writers = Writers.start(scene, seed);
          Nodes nodes = Nodes.start(scene, 2)) {
        for (int freeze = 1; freeze <= FREEZES; freeze++) {
          scene.awaitMoreDelivered(300, seed);
          freezeOwner(nodes, scene, watch, seed);
        }
        writers.close();
        scene.awaitRest(seed::toString);

        Findings findings = scene.findings(writers.acknowledged());
        System.out.printf(
            "frozen owner on %s: %s; freezes=%d; %s%n", product, findings, FREEZES, seed);
        assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
        assertThat(findings.duplicates())
            .as("what each side of a freeze had in flight; %s", seed)
            .isLessThanOrEqualTo(2 * FREEZES * LaneArgs.MAX_IN_FLIGHT);
      }
    }
  }

  private static void freezeOwner(Nodes nodes, Scene scene, ChangeWatch watch, Seed seed)
      throws Exception {
    LaneChild owner = nodes.active();
    long epoch = nodes.epoch();
    long began = System.nanoTime();
    owner.freeze();
    Duration takeOver = nodes.takeOver(epoch, began);
    assertThat(watch.changesBy(owner.name())).as("what it changed as the owner").isNotEmpty();
    watch.forget();
    List<String> positions = scene.positionsOf(epoch);
    scene.awaitMoreDelivered(300, seed);
    Duration left = nodes.lease().multipliedBy(3).minusNanos(System.nanoTime() - began);
    LockSupport.parkNanos(left.toNanos());
    owner.unfreeze();
    String lost = owner.awaitLaneLost();
    scene.awaitMoreDelivered(300, seed);

    System.out.printf("frozen owner: taken over after %s; it said %s%n", takeOver, lost);
    assertThat(watch.changesBy(owner.name())).as("changed by the late owner; %s", seed).isEmpty();
    assertThat(scene.positionsOf(epoch))
        .as("positions of its epoch; %s", seed)
        .isEqualTo(positions);
  }
}
