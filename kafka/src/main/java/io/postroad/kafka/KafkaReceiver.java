package io.postroad.kafka;

import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.internal.inbox.KeyedRunner;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import io.postroad.spi.hint.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages from Kafka topics and passes them to an {@link Inbox}.
 *
 * <pre>{@code
 * KafkaReceiver receiver =
 *     KafkaReceiver.create(KafkaReceiverOptions.of("broker1:9092", "billing"), inbox);
 * receiver.start();
 * }</pre>
 *
 * <table>
 * <caption>A Kafka record as a message; the headers are those of {@link KafkaSender}</caption>
 * <tr><th>message</th><th>record</th></tr>
 * <tr><td>destination</td><td>topic</td></tr>
 * <tr><td>key</td><td>key; an empty key, or one that is not UTF-8, becomes a text derived from it.
 *     A record without a key has the aggregate id</td></tr>
 * <tr><td>id for deduplication</td><td>the result of {@link KafkaReceiverOptions#messageId()}; else
 *     {@code event-id}; else {@code ce_source/ce_id}; else {@code
 *     topic-partition@offset/timestamp}</td></tr>
 * <tr><td>type</td><td>{@code event-type}; else {@code ce_type}; else {@code unknown}</td></tr>
 * <tr><td>payload</td><td>value. A record without one has an empty payload and the header {@code
 *     kafka-tombstone}</td></tr>
 * <tr><td>headers</td><td>all others; of several with one name, the last</td></tr>
 * </table>
 *
 * <p>{@code io.postroad.inbox.IncomingBuilder} describes the treatment of malformed records. None
 * of them stops a partition.
 *
 * <p><b>Order.</b> Messages of a topic and key are handled one after the other, in the order of
 * their partition. Messages of different keys, and messages without a key, are handled
 * concurrently. A message that fails moves to the retry line of the inbox, with later messages of
 * its key. Its partition continues.
 *
 * <p><b>Replies.</b> A topic in which each service has its own records ({@link Handlers#filter}),
 * such as replies to its commands, is received in the group {@code groupId-service}, or {@code
 * groupId} if the group has the name of the service. So every service sees all records, even if two
 * services have the same {@code groupId}. Records of other services are skipped and do not reach
 * the inbox.
 *
 * <p><b>Offsets</b> are committed up to the first unfinished record of a partition. After a crash
 * or the loss of a partition, later records are delivered again, and the inbox recognises the
 * duplicates. A revoked partition waits up to {@code drainFor} for its running handlers, is
 * committed, and drops records that no handler has begun. Handlers of a lost partition run to their
 * end, but their offsets are not committed.
 *
 * <p><b>Failures.</b> While no broker answers, the client reconnects by itself. While the database
 * fails, no record is acknowledged, but polling continues, so the consumer stays in its group. A
 * consumer that fails permanently (login, permissions) is closed and replaced, with growing pauses.
 *
 * <p>Thread-safe. A second start or stop has no effect. A stopped receiver can be started again.
 */
public final class KafkaReceiver implements AutoCloseable {
  /** Header of a message without a value, such as a deletion in a compacted topic. */
  public static final String TOMBSTONE = "kafka-tombstone";

  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);

  /** Time beyond {@code drainFor} for the last commit and for leaving the group. */
  private static final Duration LEAVE_WITHIN = Duration.ofSeconds(12);

  private final String name;
  private final KafkaReceiverOptions options;
  private final Map<String, Set<String>> topicsByGroup;
  private final Inbox<?> inbox;
  private final List<BackgroundLoop> loops = new ArrayList<>();
  private @Nullable KeyedRunner runner;

  private KafkaReceiver(
      KafkaReceiverOptions options, Map<String, Set<String>> topicsByGroup, Inbox<?> inbox) {
    this.name = "kafka-receiver-" + options.groupId();
    this.options = options;
    this.topicsByGroup = topicsByGroup;
    this.inbox = inbox;
  }

  /**
   * Creates a receiver for an inbox. Does not connect; {@link #start()} does.
   *
   * @throws IllegalArgumentException if there are no topics, or if Kafka's own checks refuse a
   *     setting
   * @throws IllegalStateException if the inbox has no retry store
   */
  public static KafkaReceiver create(KafkaReceiverOptions options, Inbox<?> inbox) {
    inbox.requireRetries();
    Set<String> topics =
        options.topics().isEmpty() ? inbox.handlers().destinations() : options.topics();
    if (topics.isEmpty()) {
      throw new IllegalArgumentException(
          "there are no topics to receive: register a handler, or name topics with"
              + " KafkaReceiverOptions.withTopics");
    }
    settings(options, options.groupId()).checkByKafka();
    Map<String, Set<String>> byGroup = new TreeMap<>();
    for (String topic : topics) {
      byGroup
          .computeIfAbsent(group(topic, options, inbox.handlers()), group -> new TreeSet<>())
          .add(topic);
    }
    return new KafkaReceiver(options, byGroup, inbox);
  }

  /**
   * Returns the name of the group that receives a topic. If several services share the topic and
   * each has its own records in it, every service must see all records. Then the name of this
   * service is part of the group's name.
   */
  private static String group(String topic, KafkaReceiverOptions options, Handlers<?> handlers) {
    String group = options.groupId();
    return handlers
        .filter(topic)
        .map(Handlers.HeaderFilter::value)
        .filter(service -> !service.equals(group))
        .map(service -> group + "-" + service)
        .orElse(group);
  }

  private static ConsumerSettings settings(KafkaReceiverOptions options, String group) {
    return ConsumerSettings.of(
        options.settings(), group, options.maxInFlight(), options.drainFor());
  }

  /** Starts to receive. Brokers that are not reachable yet are waited for. */
  public synchronized void start() {
    if (runner != null) {
      return;
    }
    KeyedRunner shared = new KeyedRunner(name, options.concurrency());
    runner = shared;
    topicsByGroup.forEach((group, topics) -> loops.add(loop(group, topics, shared)));
    loops.forEach(BackgroundLoop::start);
    LOG.info("{}: receiving topics={} concurrency={}", name, topicsByGroup, options.concurrency());
  }

  private BackgroundLoop loop(String group, Set<String> topics, KeyedRunner shared) {
    String loopName = "kafka-receiver-" + group;
    return new BackgroundLoop(
        loopName,
        new ReceiverLoop(loopName, options, settings(options, group), topics, inbox, shared),
        new Waiter(),
        Pace.ofTrouble(),
        work -> Threads.daemon(loopName, work));
  }

  /**
   * Stops receiving: waits for running handlers, commits finished offsets and leaves the group.
   * Handlers that take longer than {@code drainFor} are interrupted; their messages are delivered
   * again.
   */
  public synchronized void stop() {
    if (runner == null) {
      return;
    }
    BackgroundLoop.stopAll(loops, options.drainFor().plus(LEAVE_WITHIN));
    runner.close();
    loops.clear();
    runner = null;
    LOG.info("{}: stopped", name);
  }

  /** Returns whether this receiver was started and neither stopped nor interrupted. */
  public synchronized boolean isRunning() {
    return runner != null && loops.stream().noneMatch(BackgroundLoop::hasEnded);
  }

  /** Stops this receiver. */
  @Override
  public void close() {
    stop();
  }
}
