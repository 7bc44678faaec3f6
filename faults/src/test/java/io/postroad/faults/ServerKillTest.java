package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.servers.KafkaServer;
import io.postroad.servers.ManagedServer;
import io.postroad.servers.MongoServer;
import io.postroad.servers.PostgresServer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

class ServerKillTest {

  @Test
  @DisabledIfEnvironmentVariable(
      named = "POSTGRES_URL",
      matches = ".+",
      disabledReason = "a server that is not ours cannot be killed")
  void aPostgresqlKilledUnderLoadLosesNothing() throws Exception {
    try (PostgresServer postgres = PostgresServer.started()) {
      killUnderLoad(
          "PostgreSQL kill", PostgresScene.on(postgres, KafkaServer.shared()), postgres, 0);
    }
  }

  @Test
  @DisabledIfEnvironmentVariable(
      named = "MONGODB_URI",
      matches = ".+",
      disabledReason = "a server that is not ours cannot be killed")
  void aMongodKilledUnderLoadLosesNothing() throws Exception {
    try (MongoServer mongo = MongoServer.started()) {
      killUnderLoad(
          "mongod kill", MongoScene.of(StoreKind.COMPETING, mongo, KafkaServer.shared()), mongo, 0);
    }
  }

  @Test
  @DisabledIfEnvironmentVariable(
      named = "KAFKA_BOOTSTRAP_SERVERS",
      matches = ".+",
      disabledReason = "a broker that is not ours cannot be killed")
  void aBrokerKilledUnderLoadLosesNothingAndHoldsUpNoCommit() throws Exception {
    try (KafkaServer kafka = KafkaServer.started()) {
      int failedTransactions =
          killUnderLoad("Kafka kill", PostgresScene.on(PostgresServer.shared(), kafka), kafka, 300);
      assertThat(failedTransactions).isZero();
    }
  }

  /**
   * Kills the victim at a random moment, waits for commits while it is down, starts it again.
   *
   * @param opened is closed here
   * @param commitsWhileDown events that writers must be able to commit without the victim
   * @return transactions that failed
   */
  private static int killUnderLoad(
      String title, Scene opened, ManagedServer victim, int commitsWhileDown) throws Exception {
    Seed seed = Seed.printed(title);
    SplittableRandom random = seed.random();
    try (Scene scene = opened;
        Writers writers = Writers.start(scene, seed);
        RelayChild one = scene.startRelay("relay-1");
        RelayChild other = scene.startRelay("relay-2")) {
      scene.awaitMoreDelivered(300 + random.nextInt(700), seed);
      victim.kill();
      writers.awaitMore(commitsWhileDown, seed);
      victim.restart();
      scene.awaitMoreDelivered(300 + random.nextInt(700), seed);
      writers.awaitMore(1, seed);
      writers.close();
      scene.awaitRest(seed::toString);

      Findings findings = scene.findings(writers.acknowledged());
      System.out.printf(
          "%s: %s; rolled-back=%d failed-transactions=%d; relays said %s and %s; %s%n",
          title,
          findings,
          writers.rolledBack(),
          writers.failed(),
          one.totals(),
          other.totals(),
          seed);
      assertThat(findings.ok()).as("%s; %s", findings, seed).isTrue();
      return writers.failed();
    }
  }
}
