package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
import org.junit.jupiter.api.Test;

/**
 * The primary of three MongoDB servers changes under load, in each of the ways there are. Neither
 * writers nor relays are restarted.
 */
class ReplicaSetTest {
  private static final int BETWEEN = 100;
  private static final int STEP_DOWNS = Length.of(1, 2);

  @Test
  void theOrderedOutboxKeepsOrderAndLosesNothing() throws Exception {
    Seed seed = Seed.printed("replica set, ordered");
    ReplicaSet set = ReplicaSet.whole();
    try (Scene scene = scene(set, StoreKind.ORDERED);
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 2)) {
      changePrimaries(set, scene, writers, seed);
      finish("replica set, ordered", scene, writers, seed);
      assertThat(nodes.allAlive()).as("relays are alive; %s", seed).isTrue();
    }
  }

  @Test
  void theCompetingOutboxLosesNothing() throws Exception {
    Seed seed = Seed.printed("replica set, competing");
    ReplicaSet set = ReplicaSet.whole();
    try (Scene scene = scene(set, StoreKind.COMPETING);
        Writers writers = Writers.start(scene, seed);
        RelayChild one = scene.startRelay("relay-1");
        RelayChild other = scene.startRelay("relay-2")) {
      changePrimaries(set, scene, writers, seed);
      finish("replica set, competing", scene, writers, seed);
      assertThat(one.isAlive() && other.isAlive()).as("relays are alive; %s", seed).isTrue();
    }
  }

  private static Scene scene(ReplicaSet set, StoreKind kind) {
    return MongoScene.of(kind, set.freshDatabase(), KafkaServer.shared());
  }

  /** Step-downs come last: one that has stepped down is not elected for a while. */
  private static void changePrimaries(ReplicaSet set, Scene scene, Writers writers, Seed seed)
      throws Exception {
    awaitFlow(scene, writers, seed);
    set.hangPrimary();
    awaitFlow(scene, writers, seed);
    MongoServer primary = set.primary();
    set.isolate(primary);
    ReplicaSet.awaitUnfollowed(primary, 4);
    set.killIsolated(primary);
    primary.restart();
    awaitFlow(scene, writers, seed);
    for (int i = 0; i < STEP_DOWNS; i++) {
      set.stepDown();
      awaitFlow(scene, writers, seed);
    }
  }

  private static void awaitFlow(Scene scene, Writers writers, Seed seed) throws Exception {
    scene.awaitMoreDelivered(BETWEEN, seed);
    writers.awaitMore(BETWEEN, seed);
  }

  private static void finish(String title, Scene scene, Writers writers, Seed seed)
      throws Exception {
    writers.close();
    scene.awaitRest(seed::toString);
    Findings findings = scene.findings(writers.acknowledged());
    System.out.printf(
        "%s: %s; rolled-back=%d failed-transactions=%d; %s%n",
        title, findings, writers.rolledBack(), writers.failed(), seed);
    assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
  }
}
