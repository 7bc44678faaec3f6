package io.postroad.benchmarks.outbox;

import io.postroad.servers.KafkaServer;
import java.util.concurrent.ThreadLocalRandom;

/** The servers of one run, and the rounds on them. */
final class BenchServers implements AutoCloseable {
  private static final int PARTITIONS = 8;

  private final BenchDatabase database;
  private final KafkaServer kafka;
  private final String run = "%08x".formatted(ThreadLocalRandom.current().nextInt());
  private int rounds;

  private BenchServers(BenchDatabase database, KafkaServer kafka) {
    this.database = database;
    this.kafka = kafka;
  }

  static BenchServers start(BenchStore store) {
    BenchDatabase database = store.start();
    return new BenchServers(database, KafkaServer.started());
  }

  /** Starts a round with empty tables and an empty topic, after a flush to disk. */
  Round round(Entrant entrant) throws Exception {
    rounds++;
    Topic topic =
        new Topic(
            kafka.bootstrapServers(), "bench-%s-%s-%d".formatted(run, entrant.label(), rounds));
    kafka.createTopic(topic.name(), PARTITIONS);
    Round round = new Round(topic, database.stage(entrant, topic));
    database.flush();
    System.gc();
    return round;
  }

  @Override
  public void close() {
    kafka.close();
    database.close();
  }
}
