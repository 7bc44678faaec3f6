package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.outbox.RelayOptions;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.ManagedServer;
import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/**
 * Measures and prints how long the only lane stands still, in the full form with the default lease:
 * after SIGKILL and SIGSTOP of its owner, after a clean stop, and after a restart of the database
 * with the owner still running. Judges that messages go on in order and without loss; the times are
 * for people to read.
 */
class PickUpTest {
  private static final Duration LEASE =
      Length.of(LaneArgs.SHORT_LEASE, RelayOptions.defaults().laneLeaseFor());

  @Test
  @DisabledIfEnvironmentVariable(
      named = "POSTGRES_URL",
      matches = ".+",
      disabledReason = "a server that is not ours cannot be killed")
  void lanesArePickedUpOnPostgresql() throws Exception {
    try (PostgresServer postgres = PostgresServer.started()) {
      measure("PostgreSQL", PostgresScene.ordered(postgres, KafkaServer.shared()), postgres);
    }
  }

  @Test
  @DisabledIfEnvironmentVariable(
      named = "MONGODB_URI",
      matches = ".+",
      disabledReason = "a server that is not ours cannot be killed")
  void lanesArePickedUpOnMongodb() throws Exception {
    try (MongoServer mongo = MongoServer.started()) {
      measure("MongoDB", MongoScene.of(StoreKind.ORDERED, mongo, KafkaServer.shared()), mongo);
    }
  }

  private static void measure(String title, Scene opened, ManagedServer server) throws Exception {
    Seed seed = Seed.printed("pick-up on " + title);
    Map<String, Duration> took = new LinkedHashMap<>();
    try (Scene scene = opened;
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 2, LEASE)) {
      scene.awaitMoreDelivered(300, seed);
      took.put("SIGKILL", nodes.kill(nodes.active()));

      nodes.awaitReady();
      scene.awaitMoreDelivered(300, seed);
      LaneChild frozen = nodes.active();
      long epoch = nodes.epoch();
      long began = System.nanoTime();
      frozen.freeze();
      took.put("SIGSTOP", nodes.takeOver(epoch, began));
      frozen.unfreeze();

      scene.awaitMoreDelivered(300, seed);
      took.put("clean stop", nodes.stop(nodes.active()));

      nodes.awaitReady();
      scene.awaitMoreDelivered(300, seed);
      server.kill();
      server.restart();
      began = System.nanoTime();
      scene.awaitMoreDelivered(1, seed);
      took.put("database restart", Duration.ofNanos(System.nanoTime() - began));

      writers.close();
      scene.awaitRest(seed::toString);
      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf(
          "pick-up of a lane on %s: lease=%s %s; %s; %s%n",
          title, nodes.lease(), took, findings, seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
    }
  }
}
