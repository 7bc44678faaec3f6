package io.postroad.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Options of a {@link KafkaSender}. Immutable. The constructor refuses wrong and unsafe settings.
 *
 * <table>
 * <caption>Producer settings that Postroad sets or limits; all others are free</caption>
 * <tr><th>setting</th><th>value</th><th>reason</th></tr>
 * <tr><td>{@code acks}</td><td>{@code all}, nothing else</td><td>a message is acknowledged after it
 *     is durable</td></tr>
 * <tr><td>{@code enable.idempotence}</td><td>{@code true}, nothing else</td><td>the producer's own
 *     retries must not duplicate or reorder messages</td></tr>
 * <tr><td>{@code max.in.flight.requests.per.connection}</td><td>1, nothing else</td><td>a broker
 *     that does not know a producer yet accepts the second request although it refused the first
 *     (seen: 4 of 100 later messages overtook). Larger batches make up for it</td></tr>
 * <tr><td>{@code delivery.timeout.ms}</td><td>{@code sendTimeout}; may be less</td><td>the lease of
 *     a relay depends on it</td></tr>
 * <tr><td>{@code request.timeout.ms}</td><td>two thirds of the delivery timeout, 30 s at most; with
 *     {@code linger.ms} within the delivery timeout</td><td>room for one retry</td></tr>
 * <tr><td>{@code max.block.ms}</td><td>5 s or {@code sendTimeout}, the smaller; may be
 *     less</td><td>a caller of send waits this long for metadata or buffer space</td></tr>
 * <tr><td>{@code linger.ms}</td><td>0; free</td><td>with one request in flight, batches form by
 *     themselves under load</td></tr>
 * <tr><td>{@code batch.size}</td><td>128 KiB; free</td><td>see in flight. Use more for distant
 *     brokers, and less than the smallest {@code max.message.bytes} of the topics: clients before
 *     4.1 split larger batches without end, so the sender reduces the size when it detects
 *     that</td></tr>
 * <tr><td>{@code enable.metrics.push}</td><td>{@code false}; free</td><td>otherwise a producer that
 *     is closed at a failure logs an error of its telemetry</td></tr>
 * <tr><td>{@code partitioner.ignore.keys}</td><td>not {@code true}</td><td>a key must stay on its
 *     partition. A {@code partitioner.class} of your own must do the same</td></tr>
 * <tr><td>{@code key.serializer}, {@code value.serializer}</td><td>not set</td><td>Postroad sends
 *     bytes</td></tr>
 * <tr><td>{@code transactional.id}</td><td>not set</td><td>see {@code
 *     transactionalIdPrefix}</td></tr>
 * <tr><td>{@code transaction.timeout.ms}</td><td>{@link KafkaSender#timeout()}; not below the
 *     delivery timeout</td><td>limits how long readers of committed messages wait for a frozen
 *     owner if no other node takes over its lane</td></tr>
 * </table>
 *
 * @param settings Kafka's producer settings; {@code bootstrap.servers} is required
 * @param sendTimeout how long the producer tries to deliver a message that it has accepted; 15 s.
 *     With Kafka's own 120 s, the lease of a competing store would be longer than that, and so
 *     would its recovery after a crash
 * @param transactionalIdPrefix switches transactions on: {@link KafkaSender#openSession(String)}.
 *     Empty by default
 * @param cloudEventsSource switches the headers of CloudEvents 1.0 on, in binary mode; this is
 *     their {@code source}. Empty by default
 */
public record KafkaSenderOptions(
    Map<String, Object> settings,
    Duration sendTimeout,
    Optional<String> transactionalIdPrefix,
    Optional<String> cloudEventsSource) {
  private static final Duration DEFAULT_SEND_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException if a value is wrong; the text has the setting, its value and
   *     the reason
   */
  public KafkaSenderOptions {
    settings = Map.copyOf(settings);
    ProducerSettings.of(settings, sendTimeout);
    if (transactionalIdPrefix.filter(String::isBlank).isPresent()) {
      throw new IllegalArgumentException(
          "KafkaSenderOptions.transactionalIdPrefix must not be blank; use a name that is the same"
              + " on all nodes and that no other outbox uses, for example orders-outbox");
    }
    cloudEventsSource.ifPresent(CloudEvents::new);
  }

  /** Returns the defaults for brokers, given as {@code host:port,host:port}. */
  public static KafkaSenderOptions of(String bootstrapServers) {
    return new KafkaSenderOptions(
        Map.of("bootstrap.servers", bootstrapServers),
        DEFAULT_SEND_TIMEOUT,
        Optional.empty(),
        Optional.empty());
  }

  /** Adds a producer setting, for example {@code compression.type}. */
  public KafkaSenderOptions withSetting(String name, Object value) {
    return withSettings(Map.of(name, value));
  }

  /** Adds producer settings; they replace settings of the same name. */
  public KafkaSenderOptions withSettings(Map<String, ?> more) {
    Map<String, Object> all = new TreeMap<>(settings);
    all.putAll(more);
    return new KafkaSenderOptions(all, sendTimeout, transactionalIdPrefix, cloudEventsSource);
  }

  public KafkaSenderOptions withSendTimeout(Duration sendTimeout) {
    return new KafkaSenderOptions(settings, sendTimeout, transactionalIdPrefix, cloudEventsSource);
  }

  /**
   * Switches transactions on, so that a frozen owner of a lane cannot finish its sends after
   * another node has taken over the lane.
   *
   * @param prefix the prefix of the transactional ids, one per lane: the same on all nodes, and not
   *     used by any other outbox, because the two would fence each other
   */
  public KafkaSenderOptions withTransactionalIdPrefix(String prefix) {
    return new KafkaSenderOptions(settings, sendTimeout, Optional.of(prefix), cloudEventsSource);
  }

  /**
   * Adds the headers of CloudEvents 1.0 in binary mode to Postroad's own headers.
   *
   * @param source the sending service, as a URI or a relative reference, for example {@code
   *     /payments}
   */
  public KafkaSenderOptions withCloudEvents(String source) {
    return new KafkaSenderOptions(
        settings, sendTimeout, transactionalIdPrefix, Optional.of(source));
  }

  /** Shows only the names of the settings, because their values may be credentials. */
  @Override
  public String toString() {
    return "KafkaSenderOptions[settings="
        + new TreeMap<>(settings).keySet()
        + ", sendTimeout="
        + sendTimeout
        + transactionalIdPrefix.map(prefix -> ", transactionalIdPrefix=" + prefix).orElse("")
        + cloudEventsSource.map(source -> ", cloudEventsSource=" + source).orElse("")
        + "]";
  }
}
