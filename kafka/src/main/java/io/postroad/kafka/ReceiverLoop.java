package io.postroad.kafka;

import io.postroad.inbox.Inbox;
import io.postroad.inbox.Incoming;
import io.postroad.internal.inbox.KeyedRunner;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls a consumer, hands records to handlers and commits finished offsets. Handlers run on other
 * threads, so that polling continues however long they take. A consumer that fails is closed, and
 * the next pass creates another.
 *
 * <p>Used by one thread; handlers report their end from their threads.
 */
final class ReceiverLoop implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);
  private static final int COMMIT_AFTER = 1_000;

  /** Most records of a partition that may be pending behind one slow record. */
  private static final int MAX_PENDING = 10_000;

  private final String name;
  private final KafkaReceiverOptions options;
  private final ConsumerSettings settings;
  private final Set<String> topics;
  private final Inbox<?> inbox;
  private final KeyedRunner runner;
  private final RecordReader reader;
  private final InFlightLimit inFlight;
  private final Ticker ticker = Ticker.system();
  private final AtomicInteger finished = new AtomicInteger();
  private final Pace pace = Pace.ofTrouble();
  private @Nullable Session session;
  private boolean failing;

  /** The consumer that waits for room; the handler thread that makes room wakes it up. */
  private volatile @Nullable Consumer<byte[], byte[]> waiting;

  ReceiverLoop(
      String name,
      KafkaReceiverOptions options,
      ConsumerSettings settings,
      Set<String> topics,
      Inbox<?> inbox,
      KeyedRunner runner) {
    this.name = name;
    this.options = options;
    this.settings = settings;
    this.topics = topics;
    this.inbox = inbox;
    this.runner = runner;
    this.reader = new RecordReader(options.maxBodyBytes(), options.messageId());
    this.inFlight =
        new InFlightLimit(
            options.maxInFlight(), options.maxInFlightBytes(), settings.pollRecords());
  }

  @Override
  public Duration runOnce() {
    Session current = session;
    if (current == null) {
      try {
        current = new Session();
      } catch (RuntimeException failed) {
        reportFailure(failed);
        return pace.next();
      }
      session = current;
    }
    try {
      current.pauseOrResume();
      current.poll();
      current.commitIfDue();
      reportRecovery(current);
      return Duration.ZERO;
    } catch (RuntimeException | Error failed) {
      // For any failure: only a new consumer receives records again that were not handed over.
      session = null;
      current.abandon();
      reportFailure(failed);
      return pace.next();
    }
  }

  /** Logs the first failure, and no further ones until a consumer works. */
  private void reportFailure(Throwable failed) {
    if (!failing) {
      failing = true;
      LOG.warn(
          "{}: the consumer failed and is replaced until one works; error={}",
          name,
          SendFailure.describe(failed));
    }
    LOG.debug("{}: the consumer failed", name, failed);
  }

  /**
   * Logs the recovery. A consumer may fail some polls after its creation, so it counts as working
   * only after it has joined its group.
   */
  private void reportRecovery(Session current) {
    if (failing && current.assignment.hasJoined()) {
      failing = false;
      pace.reset();
      LOG.info("{}: the consumer works again", name);
    }
  }

  @Override
  public void finish() {
    Session current = session;
    if (current != null) {
      session = null;
      current.finish();
    }
  }

  /** Lives from the creation of a consumer to its end. */
  private final class Session {
    private final Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.map(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    private final Assignment assignment = new Assignment(name, consumer, options.drainFor());
    private final BrokerWatch broker =
        new BrokerWatch(
            name, () -> BrokerWatch.bytesReceived(consumer), settings.silentFor(), ticker);
    private long committedAt = ticker.nanos();
    private boolean committing;
    private boolean full;

    Session() {
      consumer.subscribe(topics, assignment);
    }

    /**
     * Pauses fetching while there is no room. Polling continues, because the group would otherwise
     * remove the consumer.
     */
    void pauseOrResume() {
      full = full ? !inFlight.hasRoom() : inFlight.isFull();
      Set<TopicPartition> toPause =
          full ? consumer.assignment() : assignment.withMorePendingThan(MAX_PENDING);
      if (!toPause.equals(consumer.paused())) {
        Set<TopicPartition> toResume = new HashSet<>(consumer.paused());
        toResume.removeAll(toPause);
        consumer.resume(toResume);
        consumer.pause(toPause);
      }
    }

    void poll() {
      for (ConsumerRecord<byte[], byte[]> record : pollOnce()) {
        PartitionProgress progress =
            assignment.progress(new TopicPartition(record.topic(), record.partition()));
        if (progress != null) {
          handOver(record, progress);
        }
      }
      broker.check();
    }

    private ConsumerRecords<byte[], byte[]> pollOnce() {
      try {
        waiting = full ? consumer : null;
        return full && inFlight.hasRoom() ? ConsumerRecords.empty() : consumer.poll(POLL);
      } catch (WakeupException thereIsRoom) {
        return ConsumerRecords.empty();
      } finally {
        waiting = null;
      }
    }

    void commitIfDue() {
      boolean due =
          finished.get() >= COMMIT_AFTER
              || ticker.since(committedAt).compareTo(options.commitEvery()) >= 0;
      if (committing || !due) {
        return;
      }
      finished.set(0);
      committedAt = ticker.nanos();
      Map<TopicPartition, OffsetAndMetadata> offsets = assignment.toCommit();
      if (!offsets.isEmpty()) {
        committing = true;
        consumer.commitAsync(offsets, this::committed);
      }
    }

    private void committed(
        Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable Exception failure) {
      committing = false;
      if (failure == null) {
        assignment.committed(offsets);
      } else {
        LOG.debug("{}: could not commit, will try again; offsets={}", name, offsets, failure);
      }
    }

    /**
     * Drains and closes the consumer. Without the close it would stay in its group, and the other
     * members would wait for it.
     */
    void finish() {
      try {
        assignment.drainAll();
      } finally {
        consumer.close(CLOSE_WITHIN);
      }
    }

    void abandon() {
      assignment.abandonAll();
      try {
        consumer.close(Duration.ZERO);
      } catch (RuntimeException e) {
        LOG.debug("{}: could not close the failed consumer", name, e);
      }
    }
  }

  private void handOver(ConsumerRecord<byte[], byte[]> record, PartitionProgress progress) {
    if (isOfAnotherService(record)) {
      skip(record, progress);
      return;
    }
    Incoming incoming = reader.read(record);
    PartitionProgress.PolledRecord polled = progress.add(record.offset());
    int size = sizeOf(record);
    inFlight.add(size);
    try {
      runner.run(
          keyOf(incoming),
          () -> {
            try {
              handle(incoming, progress, polled);
            } finally {
              inFlight.remove(size);
              wakeUpIfRoom();
            }
          });
    } catch (RuntimeException | Error notRun) {
      inFlight.remove(size);
      throw notRun;
    }
  }

  private boolean isOfAnotherService(ConsumerRecord<byte[], byte[]> record) {
    return inbox
        .handlers()
        .filter(record.topic())
        .filter(filter -> !filter.accepts(RecordReader.text(record, filter.header())))
        .isPresent();
  }

  /** Counts a record as finished: the group of the service to which it belongs receives it, too. */
  private void skip(ConsumerRecord<byte[], byte[]> record, PartitionProgress progress) {
    PartitionProgress.PolledRecord polled = progress.add(record.offset());
    if (progress.begin()) {
      progress.end(polled, true);
      finished.incrementAndGet();
    }
  }

  private void handle(
      Incoming incoming, PartitionProgress progress, PartitionProgress.PolledRecord polled) {
    if (!progress.begin()) {
      return;
    }
    boolean done = false;
    try {
      done = inbox.receive(incoming, () -> !progress.isAbandoned());
    } finally {
      progress.end(polled, done);
      finished.incrementAndGet();
    }
  }

  /** Returns the key by which records are ordered; a record without a key gets a unique one. */
  private static Object keyOf(Incoming incoming) {
    String topic = incoming.message().destination();
    return incoming
        .message()
        .key()
        .<Object>map(key -> OrderKey.of(topic, key))
        .orElseGet(Object::new);
  }

  private void wakeUpIfRoom() {
    Consumer<byte[], byte[]> consumer = waiting;
    if (consumer != null && inFlight.hasRoom()) {
      waiting = null;
      consumer.wakeup();
    }
  }

  private static int sizeOf(ConsumerRecord<byte[], byte[]> record) {
    return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
  }
}
