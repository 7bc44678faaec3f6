package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs on a broker of ours even where KAFKA_BOOTSTRAP_SERVERS is set: hurting it is the point. */
final class KafkaServerTest {
  private static KafkaServer server;

  @BeforeAll
  static void start() {
    server = KafkaServer.local(ServerOptions.defaults());
    server.start();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void killAndRestartKeepPortClusterAndTopics() {
    String address = server.bootstrapServers();
    String cluster = server.clusterId();
    server.createTopic("kept", 3);

    server.kill();
    assertThatThrownBy(server::clusterId)
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("does not answer");
    server.restart();

    assertThat(server.bootstrapServers()).isEqualTo(address);
    assertThat(server.clusterId()).isEqualTo(cluster).hasSize(22);
    Await.until(
        Duration.ofSeconds(30),
        () -> KafkaAddress.parse(address).metadata("kept").partitionsWithLeader() == 3,
        () -> "topic is gone");
  }

  @Test
  void stopAndStartKeepTheCluster() {
    String cluster = server.clusterId();
    server.stop();
    server.start();
    assertThat(server.clusterId()).isEqualTo(cluster);
  }

  @Test
  void aFrozenBrokerAnswersWhenItIsUnfrozen() throws Exception {
    String cluster = server.clusterId();
    server.freeze();
    CompletableFuture<String> answer = CompletableFuture.supplyAsync(server::clusterId);
    assertThat(answer).isNotDone();
    server.unfreeze();
    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(cluster);
  }

  @Test
  void topicsAreNotCreatedByUseAndNotTwice() {
    KafkaAddress address = KafkaAddress.parse(server.bootstrapServers());
    assertThat(address.metadata("unknown").partitionsWithLeader()).isZero();
    server.createTopic("once", 1);
    assertThatThrownBy(() -> server.createTopic("once", 1))
        .isInstanceOf(ServerException.class)
        .hasMessageContainingAll("cannot create topic once", "already exists");
  }

  @Test
  void aClusterFromTheEnvironmentIsUsedButNeverHurt() {
    KafkaServer external = KafkaServer.external(server.bootstrapServers() + ",other:9092");
    external.start();
    assertThat(external.clusterId()).isEqualTo(server.clusterId());
    external.createTopic("external", 2);
    assertThatIllegalStateException()
        .isThrownBy(external::kill)
        .withMessageContaining("KAFKA_BOOTSTRAP_SERVERS points to: it is not ours");
    external.close();
    assertThat(server.clusterId()).isNotEmpty();
  }

  @Test
  void addressesAreReadFromABootstrapList() {
    assertThat(KafkaAddress.parse("a:1")).isEqualTo(new KafkaAddress("a", 1));
    assertThat(KafkaAddress.parse(" a.b:12 , c:3")).isEqualTo(new KafkaAddress("a.b", 12));
    assertThat(KafkaAddress.parse("[::1]:9092")).isEqualTo(new KafkaAddress("::1", 9092));
    assertThatThrownBy(() -> KafkaAddress.parse("localhost"))
        .hasMessageContaining("must be host:port");
  }
}
