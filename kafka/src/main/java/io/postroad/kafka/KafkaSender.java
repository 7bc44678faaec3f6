package io.postroad.kafka;

import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendSession;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to Kafka with an idempotent producer.
 *
 * <table>
 * <caption>A message as a Kafka record; texts in UTF-8</caption>
 * <tr><th>record</th><th>message</th></tr>
 * <tr><td>topic</td><td>destination</td></tr>
 * <tr><td>key</td><td>key; null if there is none</td></tr>
 * <tr><td>value</td><td>payload</td></tr>
 * <tr><td>header {@code event-id}</td><td>id</td></tr>
 * <tr><td>header {@code event-type}</td><td>type</td></tr>
 * <tr><td>header {@code content-type}</td><td>content type of the payload; absent if it is
 *     {@code application/json}</td></tr>
 * <tr><td>header {@code postroad-category}</td><td>command or reply; absent for an event</td></tr>
 * <tr><td>header {@code postroad-schema-version}</td><td>schema version, decimal; left
 *     out when it is 1</td></tr>
 * <tr><td>header {@code postroad-aggregate-type}, {@code postroad-aggregate-id}</td><td>the
 *     aggregate; absent if there is none</td></tr>
 * <tr><td>header {@code postroad-body}</td><td>{@code bytes} if the payload is bytes; absent for
 *     text</td></tr>
 * <tr><td>header {@code postroad-tenant}</td><td>tenant; absent if there is none</td></tr>
 * <tr><td>all other headers</td><td>the message's headers by their own names, trace context among
 *     them</td></tr>
 * </table>
 *
 * <table>
 * <caption>Headers of CloudEvents 1.0, with {@link KafkaSenderOptions#withCloudEvents} only; a
 *     message's own header of the same name replaces them</caption>
 * <tr><th>header</th><th>message</th></tr>
 * <tr><td>{@code ce_specversion}, {@code ce_source}</td><td>{@code 1.0}, and the source of the
 *     options</td></tr>
 * <tr><td>{@code ce_id}, {@code ce_type}</td><td>id, type</td></tr>
 * <tr><td>{@code ce_subject}</td><td>aggregate id; absent if there is none</td></tr>
 * <tr><td>{@code ce_time}</td><td>the time at which the message was built, taken from its id;
 *     absent if the id has no time</td></tr>
 * <tr><td>{@code content-type}</td><td>content type of the payload, in any case</td></tr>
 * </table>
 *
 * <p>The receipt of an accepted message has {@code topic}, {@code partition}, {@code offset} and
 * {@code timestamp} (ISO-8601). Deduplication key and {@code notBefore} are not sent.
 *
 * <table>
 * <caption>Outcomes</caption>
 * <tr><th>event</th><th>outcome</th></tr>
 * <tr><td>all in-sync replicas have the message</td><td>Accepted</td></tr>
 * <tr><td>too large; topic name invalid; topic does not exist (a broker reported that until
 *     {@code max.block.ms}); no permission to write to the topic; not serialisable; refused by a
 *     rule of
 *     the topic</td><td>Rejected for good</td></tr>
 * <tr><td>timestamp refused; batch larger than a log segment</td><td>Rejected for now</td></tr>
 * <tr><td>the partition of the key has no leader, or messages for it have just timed out, while
 *     other partitions of the topic can be reached</td><td>Unknown, for this key only: it is not
 *     handed over, and other keys continue</td></tr>
 * <tr><td>timeout, disconnect, failed login, sender closed, and everything
 *     else</td><td>Unknown</td></tr>
 * </table>
 *
 * <p><b>Order.</b> Messages of one call reach their partitions in order of first occurrence, or not
 * at all. At the first failure that the broker or the network reports, the producer is closed at
 * once. Then all messages without an answer are Unknown, the rest of the call is not handed over,
 * and the next call gets a new producer. A message that the client itself refuses was never sent:
 * the producer stays open, and the rest of the key in that call is not handed over. <b>Between</b>
 * calls of {@link #send} there is no order; between those of a session of {@link #openSession}
 * there is.
 *
 * <p><b>Threads.</b> Thread-safe. Calls do not wait for each other, except for a new producer. A
 * call may block up to twice {@code max.block.ms} for metadata or buffer space. The producer's
 * network thread completes the outcomes: do not block in a dependent stage.
 *
 * <p><b>Crash.</b> The sender stores nothing. Messages that were handed over may have arrived or
 * not. The relay sends them again, and receivers deduplicate by {@code event-id}.
 */
public final class KafkaSender implements MessageSender {
  private static final String NAME = "kafka";
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  private final Duration maxBlock;
  private final Duration timeout;
  private final UnknownTopics unknownTopics = new UnknownTopics(System::nanoTime);
  private final Partitions partitions;
  private final Producers producers;
  private final Optional<TransactionalSessions> transactional;
  private final AtomicBoolean warnedWithoutLane = new AtomicBoolean();

  private KafkaSender(ProducerSettings settings, KafkaSenderOptions options) {
    RecordMapper mapper = new RecordMapper(options.cloudEventsSource().map(CloudEvents::new));
    this.partitions =
        new Partitions(settings.hasOwnPartitioner(), settings.deliveryTimeout(), System::nanoTime);
    this.producers = new Producers(NAME, settings, mapper, partitions);
    this.maxBlock = settings.maxBlock();
    this.timeout = settings.timeout();
    this.transactional =
        options
            .transactionalIdPrefix()
            .map(prefix -> new TransactionalSessions(prefix, producers, this::handover, timeout));
  }

  /**
   * Creates a sender. Does not connect; the first {@link #send} does.
   *
   * @throws IllegalArgumentException if Kafka's own checks refuse a setting
   */
  public static KafkaSender create(KafkaSenderOptions options) {
    ProducerSettings settings = ProducerSettings.of(options.settings(), options.sendTimeout());
    settings.checkByKafka();
    return new KafkaSender(settings, options);
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Returns the delivery timeout plus twice {@code max.block.ms} plus one second: 26 s by default.
   * A call hands over no message after {@code max.block.ms}. The message before that may block for
   * the same time, and is then delivered or given up within the delivery timeout. The second allows
   * for creating a producer and for delays of its network thread.
   */
  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    warnWithoutLane();
    ProducerSession current;
    try {
      current = producers.shared();
    } catch (KafkaException e) {
      return unknown(messages, "could not create a producer: " + SendFailure.describe(e));
    }
    return current == null
        ? unknown(messages, "sender is closed")
        : handover(current, new SkippedKeys()).run(messages);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The session has its own producer, so a call does not wait for the outcome of the call
   * before. At the first failure that the broker or the network reports, the failing callback
   * closes the producer, and later messages are not sent.
   */
  @Override
  public SendSession openSession() {
    warnWithoutLane();
    return new KafkaSendSession(producers, this::handover);
  }

  /**
   * {@inheritDoc}
   *
   * <p>With {@link KafkaSenderOptions#transactionalIdPrefix()} the session sends in transactions,
   * with the transactional id {@code prefix-lane}. Its start fences the earlier session of the
   * lane: uncommitted messages of that session never become visible to consumers with {@code
   * isolation.level=read_committed}, and its later sends are Unknown. The messages of a call, and
   * of calls that wait at the same time, form one transaction. They are Accepted when it is
   * committed. A rejected message fails its transaction: the other messages of it are Unknown, and
   * the session ends.
   *
   * <p>Without a prefix this method is the same as {@link #openSession()}.
   */
  @Override
  public SendSession openSession(String lane) {
    return transactional.isPresent() ? transactional.get().open(lane) : openSession();
  }

  private void warnWithoutLane() {
    if (transactional.isPresent() && warnedWithoutLane.compareAndSet(false, true)) {
      LOG.warn(
          "{}: sending outside transactions although transactionalIdPrefix is set: only the lanes"
              + " of an ordered store have a transactional id",
          NAME);
    }
  }

  private Handover handover(ProducerSession session, SkippedKeys skipped) {
    return new Handover(session, skipped, partitions, unknownTopics, maxBlock, System::nanoTime);
  }

  /** Ends at once, without waiting for the broker. Messages in flight become Unknown. */
  @Override
  public void close() {
    transactional.ifPresent(TransactionalSessions::close);
    producers.close();
  }

  static List<CompletionStage<SendOutcome>> unknown(List<Message> messages, String error) {
    CompletableFuture<SendOutcome> outcome =
        CompletableFuture.completedFuture(new SendOutcome.Unknown(error));
    return messages.stream().<CompletionStage<SendOutcome>>map(message -> outcome).toList();
  }
}
