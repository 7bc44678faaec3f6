package io.postroad.kafka;

import io.postroad.inbox.Inbox;
import io.postroad.inbox.Incoming;
import io.postroad.internal.inbox.KeyedRunner;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
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
 * POLL, hand over, COMMIT what was dealt with, over and over; handlers run elsewhere, so that
 * polling goes on however long they take. A consumer that fails is closed, and the next pass makes
 * another.
 *
 * <p>Used by one thread; handlers tell it of their end from theirs.
 */
final class ReceiverLoop implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaReceiver.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);
  private static final int COMMIT_AFTER = 1_000;

  /** Offsets remembered behind one record that takes long. */
  private static final int LONGEST_WINDOW = 10_000;

  private final String name;
  private final KafkaReceiverOptions options;
  private final ConsumerSettings settings;
  private final Set<String> topics;
  private final Inbox<?> inbox;
  private final KeyedRunner runner;
  private final RecordReader reader;
  private final Room room;
  private final Ticker ticker = Ticker.system();
  private final AtomicInteger dealtWith = new AtomicInteger();
  private final Pace pace = Pace.ofTrouble();
  private @Nullable Session session;
  private boolean inTrouble;

  /** The consumer that waits for room; woken up by whoever makes some. */
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
    this.room = new Room(options.maxInFlight(), options.maxInFlightBytes(), settings.pollRecords());
  }

  @Override
  public Duration runOnce() {
    Session current = session;
    if (current == null) {
      try {
        current = new Session();
      } catch (RuntimeException failed) {
        tellTrouble(failed);
        return pace.next();
      }
      session = current;
    }
    try {
      current.flow();
      current.poll();
      current.commitNowAndThen();
      tellWorks(current);
      return Duration.ZERO;
    } catch (RuntimeException | Error failed) {
      // Whatever it was: records that were polled and not handed over come again this way only.
      session = null;
      current.abandon();
      tellTrouble(failed);
      return pace.next();
    }
  }

  /** Once, however many consumers fail until one is let in. */
  private void tellTrouble(Throwable failed) {
    if (!inTrouble) {
      inTrouble = true;
      LOG.warn(
          "{}: the consumer failed and is made anew until one works; error={}",
          name,
          SendFailure.describe(failed));
    }
    LOG.debug("{}: the consumer failed", name, failed);
  }

  /** A consumer may fail some polls after it was made; one that has joined its group works. */
  private void tellWorks(Session current) {
    if (inTrouble && current.assignment.hasJoined()) {
      inTrouble = false;
      pace.reset();
      LOG.info("{}: works again", name);
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

  /** From the making of a consumer to its end. */
  private final class Session {
    private final Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.map(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    private final Assignment assignment = new Assignment(name, consumer, options.drainFor());
    private final BrokerWatch broker =
        new BrokerWatch(name, () -> BrokerWatch.bytesHeard(consumer), settings.silentFor(), ticker);
    private long committedAt = ticker.nanos();
    private boolean committing;
    private boolean full;

    Session() {
      consumer.subscribe(topics, assignment);
    }

    /** Fetches nothing while there is no room; polling goes on, or the group would give us up. */
    void flow() {
      full = full ? !room.isAmple() : room.isFull();
      Set<TopicPartition> resting =
          full ? consumer.assignment() : assignment.longerThan(LONGEST_WINDOW);
      if (!resting.equals(consumer.paused())) {
        Set<TopicPartition> going = new HashSet<>(consumer.paused());
        going.removeAll(resting);
        consumer.resume(going);
        consumer.pause(resting);
      }
    }

    void poll() {
      for (ConsumerRecord<byte[], byte[]> record : pollOnce()) {
        PartitionWindow window =
            assignment.window(new TopicPartition(record.topic(), record.partition()));
        if (window != null) {
          handOver(record, window);
        }
      }
      broker.look();
    }

    private ConsumerRecords<byte[], byte[]> pollOnce() {
      try {
        waiting = full ? consumer : null;
        return full && room.isAmple() ? ConsumerRecords.empty() : consumer.poll(POLL);
      } catch (WakeupException thereIsRoom) {
        return ConsumerRecords.empty();
      } finally {
        waiting = null;
      }
    }

    void commitNowAndThen() {
      boolean due =
          dealtWith.get() >= COMMIT_AFTER
              || ticker.since(committedAt).compareTo(options.commitEvery()) >= 0;
      if (committing || !due) {
        return;
      }
      dealtWith.set(0);
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
        LOG.debug("{}: could not commit, trying again; offsets={}", name, offsets, failure);
      }
    }

    /** A consumer that is not closed would stay in its group, and the others wait for it. */
    void finish() {
      try {
        assignment.drainAll();
      } finally {
        consumer.close(CLOSE_WITHIN);
      }
    }

    void abandon() {
      assignment.loseAll();
      try {
        consumer.close(Duration.ZERO);
      } catch (RuntimeException e) {
        LOG.debug("{}: closing the failed consumer failed, too", name, e);
      }
    }
  }

  private void handOver(ConsumerRecord<byte[], byte[]> record, PartitionWindow window) {
    if (isOfAnotherService(record)) {
      passBy(record, window);
      return;
    }
    Incoming incoming = reader.read(record);
    PartitionWindow.Slot slot = window.add(record.offset());
    int size = sizeOf(record);
    room.take(size);
    try {
      runner.run(
          keyOf(incoming),
          () -> {
            try {
              handle(incoming, window, slot);
            } finally {
              room.leave(size);
              tellRoom();
            }
          });
    } catch (RuntimeException | Error notRun) {
      room.leave(size);
      throw notRun;
    }
  }

  private boolean isOfAnotherService(ConsumerRecord<byte[], byte[]> record) {
    return inbox
        .handlers()
        .only(record.topic())
        .filter(only -> !only.takes(RecordReader.text(record, only.header())))
        .isPresent();
  }

  /** Counts a record as dealt with: the group of the service that it belongs to has it, too. */
  private void passBy(ConsumerRecord<byte[], byte[]> record, PartitionWindow window) {
    PartitionWindow.Slot slot = window.add(record.offset());
    if (window.begin()) {
      window.end(slot, true);
      dealtWith.incrementAndGet();
    }
  }

  private void handle(Incoming incoming, PartitionWindow window, PartitionWindow.Slot slot) {
    if (!window.begin()) {
      return;
    }
    boolean done = false;
    try {
      done = inbox.receive(incoming, () -> !window.isGivenUp());
    } finally {
      window.end(slot, done);
      dealtWith.incrementAndGet();
    }
  }

  /** A record without a key waits for nobody. */
  private static Object keyOf(Incoming incoming) {
    String topic = incoming.message().destination();
    return incoming
        .message()
        .key()
        .<Object>map(key -> new LineKey(topic, key))
        .orElseGet(Object::new);
  }

  private record LineKey(String topic, String key) {}

  private void tellRoom() {
    Consumer<byte[], byte[]> asleep = waiting;
    if (asleep != null && room.isAmple()) {
      waiting = null;
      asleep.wakeup();
    }
  }

  private static int sizeOf(ConsumerRecord<byte[], byte[]> record) {
    return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
  }
}
