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
 * Receives messages from Kafka and has an {@link Inbox} deal with them: RECEIVE for topics.
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
 * <tr><td>key</td><td>key; one that is empty or no UTF-8 becomes a text made from it. Without one, the
 *     aggregate id</td></tr>
 * <tr><td>what deduplication knows it by</td><td>what {@link KafkaReceiverOptions#messageId()}
 *     says; else {@code event-id}; else {@code ce_source/ce_id}; else {@code
 *     topic-partition@offset/timestamp}</td></tr>
 * <tr><td>type</td><td>{@code event-type}; else {@code ce_type}; else {@code unknown}</td></tr>
 * <tr><td>payload</td><td>value. A record without one has an empty payload and the header {@code
 *     kafka-tombstone}</td></tr>
 * <tr><td>headers</td><td>all others; of several with one name, the last</td></tr>
 * </table>
 *
 * <p>{@code io.postroad.inbox.IncomingBuilder} says what becomes of records that make no message;
 * none of them stops a partition.
 *
 * <p><b>Order.</b> Messages of a topic and key are handled one after the other, in the order of
 * their partition; different keys side by side, and those without a key all side by side. A message
 * that fails moves to the inbox's retry line with what follows of its key: its partition goes on.
 *
 * <p><b>Replies.</b> A topic of which each service has its own records ({@link Handlers#only}), as
 * the replies to its commands are, is received in the group {@code groupId-service}, or {@code
 * groupId} where the group has the name of the service. So every service sees all of them, also
 * where two services were given one group. Records of other services are passed by without asking
 * the inbox.
 *
 * <p><b>Offsets</b> are committed up to the first record of a partition that is not dealt with. A
 * crash, or a partition that is lost, repeats what is behind that: duplicates, which the inbox
 * finds. A partition that is revoked waits for its running handlers up to {@code drainFor}, is
 * committed, and drops what has not begun; handlers of a lost one go on, and their offsets are not
 * committed.
 *
 * <p><b>Failures.</b> While no broker answers, the client reconnects by itself; while the database
 * fails, nothing is acknowledged, and polling goes on, so the group keeps its members. A consumer
 * that fails for good (log-in, rights) is closed and made anew, at a growing pace.
 *
 * <p>Thread-safe. Starting and stopping twice is legal, and so is starting again.
 */
public final class KafkaReceiver implements AutoCloseable {
  /** Header of a message that came without a value, as deletions in compacted topics do. */
  public static final String TOMBSTONE = "kafka-tombstone";

  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);

  /** What a stop allows beyond draining: the last commit, and leaving the group. */
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
   * A receiver for this inbox. Does not connect: {@link #start()} does.
   *
   * @throws IllegalArgumentException when there are no topics, or Kafka's own checks refuse a
   *     setting
   * @throws IllegalStateException when the inbox has no retry store
   */
  public static KafkaReceiver create(KafkaReceiverOptions options, Inbox<?> inbox) {
    inbox.requireRetries();
    Set<String> topics =
        options.topics().isEmpty() ? inbox.handlers().destinations() : options.topics();
    if (topics.isEmpty()) {
      throw new IllegalArgumentException(
          "there are no topics to receive: register a handler, or name some with"
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
   * Names the group that receives a topic. Where services share a topic and each has its own
   * records in it, every service must see all of them, so the name of this service is part of the
   * group's.
   */
  private static String group(String topic, KafkaReceiverOptions options, Handlers<?> handlers) {
    String group = options.groupId();
    return handlers
        .only(topic)
        .map(Handlers.Only::value)
        .filter(service -> !service.equals(group))
        .map(service -> group + "-" + service)
        .orElse(group);
  }

  private static ConsumerSettings settings(KafkaReceiverOptions options, String group) {
    return ConsumerSettings.of(
        options.settings(), group, options.maxInFlight(), options.drainFor());
  }

  /** Begins to receive; a broker that is not there yet is waited for. */
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
   * Ends receiving: waits for handlers that run, commits what is dealt with and leaves the group.
   * Handlers that take longer than {@code drainFor} are interrupted; their messages come again.
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

  /** Whether it was started and neither stopped nor interrupted. */
  public synchronized boolean isRunning() {
    return runner != null && loops.stream().noneMatch(BackgroundLoop::hasEnded);
  }

  /** {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }
}
