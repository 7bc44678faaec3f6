package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class KafkaClusterTest {
  private static final int PARTITIONS = 4;

  @Test
  void partitionsOfAStoppedBrokerHaveNoLeaderUntilItIsBack() {
    try (KafkaCluster cluster = KafkaServer.cluster(2)) {
      cluster.start();
      KafkaServer first = cluster.broker(1);
      first.createTopic("orders", PARTITIONS);
      assertThat(withLeader(first)).isEqualTo(PARTITIONS);

      cluster.broker(2).stop();
      assertThat(withLeader(first)).isPositive().isLessThan(PARTITIONS);

      cluster.broker(2).start();
      Await.until(
          Duration.ofMinutes(1),
          () -> withLeader(first) == PARTITIONS,
          () -> "not all partitions have a leader again");
      assertThat(cluster.broker(2).clusterId()).isEqualTo(first.clusterId());
    }
  }

  private static int withLeader(KafkaServer broker) {
    return KafkaAddress.parse(broker.bootstrapServers()).metadata("orders").partitionsWithLeader();
  }

  @Test
  void aClusterOfSeveralHasAtLeastTwo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaServer.cluster(1))
        .withMessageContaining("must have 2 to 5, got 1");
  }
}
