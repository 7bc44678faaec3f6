package io.postroad.servers;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A Kafka cluster of several brokers of ours, each a real KRaft broker in a JVM of its own.
 *
 * <p>Each of the {@link #brokers()} can be stopped, killed, frozen and restarted by itself; the
 * first one is the controller as well, so the others do without it only for what needs no election.
 * Topics have one replica unless they are made with more: the partitions of a broker that is down
 * have no leader. Kafka's own topics have a replica on every broker.
 *
 * <p>Thread-safe. {@link #close()} and the end of this JVM remove everything.
 */
public final class KafkaCluster implements AutoCloseable {
  private static final Duration JOINED_WITHIN = Duration.ofSeconds(60);

  private final List<KafkaServer> brokers;

  KafkaCluster(int brokers) {
    if (brokers < 2 || brokers > 5) {
      throw new IllegalArgumentException(
          "a cluster of several brokers must have 2 to 5, got %d; KafkaServer.create() is one of one"
              .formatted(brokers));
    }
    int controllerPort = FreePort.find();
    String clusterId = LocalKafka.newClusterId();
    this.brokers =
        IntStream.rangeClosed(1, brokers)
            .mapToObj(node -> new LocalKafka.Member(node, brokers, controllerPort, clusterId))
            .map(member -> new LocalKafka(ServerOptions.defaults(), member))
            .map(recipe -> KafkaServer.local(recipe, ServerOptions.defaults()))
            .toList();
  }

  /** Starts every broker and returns when each of them knows all of them. */
  public synchronized void start() {
    brokers.forEach(KafkaServer::start);
    Await.until(
        JOINED_WITHIN,
        () -> brokers.stream().allMatch(broker -> broker.knownBrokers() == brokers.size()),
        () -> "the brokers of the Kafka cluster do not all know each other after " + JOINED_WITHIN);
  }

  /** The brokers; the first has the node id 1, and so on. */
  public List<KafkaServer> brokers() {
    return brokers;
  }

  /** The broker with this node id, from 1. */
  public KafkaServer broker(int node) {
    return brokers.get(node - 1);
  }

  /** All brokers, as clients take them for {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return brokers.stream().map(KafkaServer::bootstrapServers).collect(Collectors.joining(","));
  }

  /** Kills every broker whatever its state and removes its data; closing twice is legal. */
  @Override
  public void close() {
    brokers.forEach(KafkaServer::close);
  }
}
