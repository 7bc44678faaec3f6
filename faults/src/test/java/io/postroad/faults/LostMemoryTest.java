package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.ManagedServer;
import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** The database forgets, or is not the one that it was: messages repeat, none is lost. */
class LostMemoryTest {
  private static final int KILLS = Length.of(1, 2);

  @Test
  @DisabledIfEnvironmentVariable(
      named = "POSTGRES_URL",
      matches = ".+",
      disabledReason = "a server that is not ours cannot be killed")
  void aPostgresqlKilledUnderLoadKeepsOrderAndLosesNothing() throws Exception {
    try (PostgresServer postgres = PostgresServer.started()) {
      killUnderLoad(
          "PostgreSQL kill, ordered",
          PostgresScene.ordered(postgres, KafkaServer.shared()),
          postgres);
    }
  }

  @Test
  @DisabledIfEnvironmentVariable(
      named = "MONGODB_URI",
      matches = ".+",
      disabledReason = "a server that is not ours cannot be killed")
  void aMongodKilledUnderLoadKeepsOrderAndLosesNothing() throws Exception {
    try (MongoServer mongo = MongoServer.started()) {
      killUnderLoad(
          "mongod kill, ordered",
          MongoScene.of(StoreKind.ORDERED, mongo, KafkaServer.shared()),
          mongo);
    }
  }

  private static void killUnderLoad(String title, Scene opened, ManagedServer server)
      throws Exception {
    Seed seed = Seed.printed(title);
    SplittableRandom random = seed.random();
    try (Scene scene = opened;
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 2)) {
      for (int kill = 1; kill <= KILLS; kill++) {
        scene.awaitMoreDelivered(300 + random.nextInt(700), seed);
        server.kill();
        server.restart();
        writers.awaitMore(1, seed);
      }
      scene.awaitMoreDelivered(300, seed);
      writers.close();
      scene.awaitRest(seed::toString);

      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf(
          "%s: %s; kills=%d failed-transactions=%d epoch=%d; %s%n",
          title, findings, KILLS, writers.failed(), nodes.epoch(), seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
    }
  }

  /** As after a promotion or a restore into another cluster: numbers of transactions lie. */
  @Test
  void aChangedClusterIdentityRepeatsAndLosesNothing() throws Exception {
    Seed seed = Seed.printed("changed identity");
    try (PostgresScene scene =
            PostgresScene.ordered(PostgresServer.shared(), KafkaServer.shared());
        Writers writers = Writers.start(scene, seed);
        Nodes nodes = Nodes.start(scene, 1)) {
      scene.awaitMoreDelivered(500, seed);
      nodes.active().stop();
      writers.awaitMore(200, seed);
      scene.sql().execute("UPDATE outbox_cursor SET system_id = system_id + 1");
      LaneChild next = nodes.startOne();
      String taken = next.awaitLaneTaken();
      scene.awaitMoreDelivered(500, seed);
      writers.close();
      scene.awaitRest(seed::toString);

      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf("changed identity: %s; it said %s; %s%n", findings, taken, seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
      assertThat(taken).contains("another server or timeline");
    }
  }
}
