package io.postroad.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a {@link KafkaSender} talks to Kafka. Immutable; wrong or unsafe settings are refused here.
 *
 * <table>
 * <caption>Producer settings that are decided or bounded here; all others are free</caption>
 * <tr><th>setting</th><th>value</th><th>why</th></tr>
 * <tr><td>{@code acks}</td><td>{@code all}, nothing else</td><td>nothing is acknowledged before it
 *     is durable</td></tr>
 * <tr><td>{@code enable.idempotence}</td><td>{@code true}, nothing else</td><td>the producer's own
 *     retries must not double or reorder</td></tr>
 * <tr><td>{@code max.in.flight.requests.per.connection}</td><td>1, nothing else</td><td>a broker
 *     that does not know a producer yet takes the second request although it refused the first
 *     (seen: 4 of 100 followers overtook); bigger batches make up for it</td></tr>
 * <tr><td>{@code delivery.timeout.ms}</td><td>{@code sendTimeout}; may be less</td><td>a relay's
 *     lease is planned with it</td></tr>
 * <tr><td>{@code request.timeout.ms}</td><td>two thirds of the delivery timeout, 30 s at most; with
 *     {@code linger.ms} within the delivery timeout</td><td>room for one retry</td></tr>
 * <tr><td>{@code max.block.ms}</td><td>5 s or {@code sendTimeout}, the smaller; may be
 *     less</td><td>a caller of send waits this long for metadata or buffer space</td></tr>
 * <tr><td>{@code linger.ms}</td><td>0; free</td><td>with one request in flight, batches form by
 *     themselves under load</td></tr>
 * <tr><td>{@code batch.size}</td><td>128 KiB; free</td><td>see in flight; take more for brokers far
 *     away, and less than the smallest {@code max.message.bytes} of the topics: clients before 4.1
 *     cannot get out of that by themselves, so the sender takes smaller batches when it sees
 *     it</td></tr>
 * <tr><td>{@code partitioner.ignore.keys}</td><td>not {@code true}</td><td>a key must stay on its
 *     partition. A {@code partitioner.class} of your own must do the same</td></tr>
 * <tr><td>{@code key.serializer}, {@code value.serializer}, {@code transactional.id}</td><td>not
 *     set</td><td>Postroad sends bytes, and does not begin transactions</td></tr>
 * </table>
 *
 * @param settings Kafka's producer settings; {@code bootstrap.servers} is required
 * @param sendTimeout how long the producer tries to deliver a message it has taken. Default 15 s:
 *     Kafka's own 120 s would make a relay's lease, and so the pick-up after a crash, longer than
 *     that
 */
public record KafkaSenderOptions(Map<String, Object> settings, Duration sendTimeout) {
  private static final Duration DEFAULT_SEND_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Checks everything.
   *
   * @throws IllegalArgumentException naming the setting, its value and the reason
   */
  public KafkaSenderOptions {
    settings = Map.copyOf(settings);
    ProducerSettings.of(settings, sendTimeout);
  }

  /** The defaults for brokers, given as {@code host:port,host:port}. */
  public static KafkaSenderOptions of(String bootstrapServers) {
    return new KafkaSenderOptions(
        Map.of("bootstrap.servers", bootstrapServers), DEFAULT_SEND_TIMEOUT);
  }

  /** With one more producer setting, for example {@code compression.type}. */
  public KafkaSenderOptions withSetting(String name, Object value) {
    return withSettings(Map.of(name, value));
  }

  /** With more producer settings; they replace those of the same name. */
  public KafkaSenderOptions withSettings(Map<String, ?> more) {
    Map<String, Object> all = new TreeMap<>(settings);
    all.putAll(more);
    return new KafkaSenderOptions(all, sendTimeout);
  }

  public KafkaSenderOptions withSendTimeout(Duration sendTimeout) {
    return new KafkaSenderOptions(settings, sendTimeout);
  }

  /** Names of the settings only: their values may be credentials. */
  @Override
  public String toString() {
    return "KafkaSenderOptions[settings="
        + new TreeMap<>(settings).keySet()
        + ", sendTimeout="
        + sendTimeout
        + "]";
  }
}
