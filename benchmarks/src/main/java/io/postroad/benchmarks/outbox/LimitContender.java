package io.postroad.benchmarks.outbox;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The fastest hand-written code with the same guarantees: plain inserts of the data that a consumer
 * needs, and a relay in this process that each commit wakes up.
 */
final class LimitContender implements Contender {
  private final Design design;
  private final Producer<byte[], byte[]> producer;
  private volatile @Nullable LimitRelay relay;

  /** The design of a limit on its database. */
  interface Design {
    /** Appends an event; see {@link Contender#enqueue}. */
    void enqueue(Event event, Runnable beforeCommit) throws Exception;

    /** Appends many events; see {@link Contender#fill}. */
    void fill(List<Event> events) throws Exception;

    /** Creates the work of a relay. */
    LimitRelay.Work relay(Producer<byte[], byte[]> producer) throws Exception;

    /** Returns 1 if order is kept: with more, messages behind a refused one can arrive. */
    int requestsInFlight();
  }

  LimitContender(Topic topic, Design design) {
    this.design = design;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                topic.bootstrapServers(),
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                design.requestsInFlight(),
                ProducerConfig.BATCH_SIZE_CONFIG,
                128 * 1024),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public void enqueue(Event event, Runnable beforeCommit) throws Exception {
    design.enqueue(event, beforeCommit);
    LimitRelay running = relay;
    if (running != null) {
      running.wakeUp();
    }
  }

  @Override
  public void fill(List<Event> events) throws Exception {
    design.fill(events);
  }

  @Override
  public void startRelay() throws Exception {
    LimitRelay starting = new LimitRelay(design.relay(producer));
    starting.start();
    relay = starting;
  }

  @Override
  public void stopRelay() {
    LimitRelay running = relay;
    relay = null;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
