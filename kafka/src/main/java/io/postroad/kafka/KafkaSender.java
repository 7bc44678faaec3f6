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
 * <tr><td>key</td><td>key; null when there is none</td></tr>
 * <tr><td>value</td><td>payload</td></tr>
 * <tr><td>header {@code event-id}</td><td>id</td></tr>
 * <tr><td>header {@code event-type}</td><td>type</td></tr>
 * <tr><td>header {@code content-type}</td><td>content type of the payload; left out when it is
 *     {@code application/json}</td></tr>
 * <tr><td>header {@code postroad-category}</td><td>command or reply; left out for an
 *     event</td></tr>
 * <tr><td>header {@code postroad-schema-version}</td><td>schema version, decimal; left
 *     out when it is 1</td></tr>
 * <tr><td>header {@code postroad-aggregate-type}, {@code postroad-aggregate-id}</td><td>the
 *     aggregate; left out when there is none</td></tr>
 * <tr><td>header {@code postroad-body}</td><td>{@code bytes} when the payload is; left out for
 *     text</td></tr>
 * <tr><td>header {@code postroad-tenant}</td><td>tenant; left out when there is none</td></tr>
 * <tr><td>all other headers</td><td>the message's headers by their own names, trace context among
 *     them</td></tr>
 * </table>
 *
 * <table>
 * <caption>Headers of CloudEvents 1.0, with {@link KafkaSenderOptions#withCloudEvents} only; a
 * message's own header of such a name goes instead</caption>
 * <tr><th>header</th><th>message</th></tr>
 * <tr><td>{@code ce_specversion}, {@code ce_source}</td><td>{@code 1.0}, and the source of the
 *     options</td></tr>
 * <tr><td>{@code ce_id}, {@code ce_type}</td><td>id, type</td></tr>
 * <tr><td>{@code ce_subject}</td><td>aggregate id; left out when there is none</td></tr>
 * <tr><td>{@code ce_time}</td><td>when the message was built, by its id; left out for an id that
 *     does not tell</td></tr>
 * <tr><td>{@code content-type}</td><td>content type of the payload, in any case</td></tr>
 * </table>
 *
 * <p>The receipt of an accepted message has {@code topic}, {@code partition}, {@code offset} and
 * {@code timestamp} (ISO-8601). Deduplication key and {@code notBefore} are not sent.
 *
 * <table>
 * <caption>Outcomes</caption>
 * <tr><th>what happened</th><th>outcome</th></tr>
 * <tr><td>all in-sync replicas have it</td><td>Accepted</td></tr>
 * <tr><td>too large; topic name invalid; topic does not exist (a broker said so until
 *     {@code max.block.ms}); no right to write to the topic; not serialisable; refused by a rule of
 *     the topic</td><td>Rejected for good</td></tr>
 * <tr><td>timestamp refused; batch larger than a log segment</td><td>Rejected for now</td></tr>
 * <tr><td>the partition of the key has no leader, or messages for it have just timed out, while
 *     other partitions of the topic can be reached</td><td>Unknown, of its key only: it is not
 *     handed over, and other keys go on</td></tr>
 * <tr><td>time-out, disconnect, log-in failed, sender closed, and everything
 *     else</td><td>Unknown</td></tr>
 * </table>
 *
 * <p><b>Order.</b> Messages of one call reach their partitions in order of first occurrence, or not
 * at all: at the first failure that the broker or the network reports the producer is closed at
 * once, everything without an answer is Unknown, the rest of the call is not handed over, and the
 * next call gets a new producer. A message that the client itself refuses was never on its way: the
 * producer goes on, and the rest of its key in that call is not handed over. <b>Between</b> calls
 * of {@link #send} there is no order; between those of a session of {@link #openSession} there is.
 *
 * <p><b>Threads.</b> Safe to use from many threads; calls do not wait for each other, except for a
 * new producer. A call may block up to twice {@code max.block.ms} for metadata or buffer space.
 * Outcomes are completed on the producer's network thread: do not block in a dependent stage.
 *
 * <p><b>Crash.</b> Nothing is kept here. What was handed over may arrive or not; the relay sends it
 * again, and receivers deduplicate by {@code event-id}.
 */
public final class KafkaSender implements MessageSender {
  private static final String NAME = "kafka";
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  private final Duration maxBlock;
  private final Duration timeout;
  private final UnknownTopics unknownTopics = new UnknownTopics(System::nanoTime);
  private final Partitions partitions;
  private final Producers producers;
  private final Optional<Lines> lines;
  private final AtomicBoolean saidWithoutLine = new AtomicBoolean();

  private KafkaSender(ProducerSettings settings, KafkaSenderOptions options) {
    RecordMapper mapper = new RecordMapper(options.cloudEventsSource().map(CloudEvents::new));
    this.partitions =
        new Partitions(settings.hasOwnPartitioner(), settings.deliveryTimeout(), System::nanoTime);
    this.producers = new Producers(NAME, settings, mapper, partitions);
    this.maxBlock = settings.maxBlock();
    this.timeout = settings.timeout();
    this.lines =
        options
            .transactionalIdPrefix()
            .map(prefix -> new Lines(prefix, producers, this::handover, timeout));
  }

  /**
   * A sender with these options. Does not connect: the first {@link #send} does.
   *
   * @throws IllegalArgumentException when Kafka's own checks refuse a setting
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
   * The delivery timeout plus twice {@code max.block.ms} plus one second: 26 s by default. A call
   * hands nothing over after {@code max.block.ms}, the message before that may block as long again,
   * and is then delivered or given up within the delivery timeout; the second is for making a
   * producer and for the pace of its network thread.
   */
  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
    sayWithoutLine();
    ProducerSession current;
    try {
      current = producers.shared();
    } catch (KafkaException e) {
      return unknown(messages, "no producer could be made: " + SendFailure.describe(e));
    }
    return current == null
        ? unknown(messages, "sender is closed")
        : handover(current, new Withheld()).run(messages);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Has a producer of its own, so calls follow each other without waiting: at the first failure
   * that the broker or the network reports that producer is closed in the failing callback, and
   * what is behind it never leaves.
   */
  @Override
  public SendSession openSession() {
    sayWithoutLine();
    return new KafkaSendSession(producers, this::handover);
  }

  /**
   * {@inheritDoc}
   *
   * <p>With {@link KafkaSenderOptions#transactionalIdPrefix()} the session sends in transactions,
   * under the transactional id {@code prefix-line}. It fences the earlier session of the line when
   * it begins: what that one had not committed never becomes visible to consumers with {@code
   * isolation.level=read_committed}, and whatever it still tries is Unknown. The messages of a
   * call, and of calls that wait together, are one transaction, and Accepted when it is committed.
   * A message that is rejected takes its transaction along: the others of it are Unknown, and the
   * session is over.
   *
   * <p>Without, it is {@link #openSession()}.
   */
  @Override
  public SendSession openSession(String line) {
    return lines.isPresent() ? lines.get().open(line) : openSession();
  }

  private void sayWithoutLine() {
    if (lines.isPresent() && saidWithoutLine.compareAndSet(false, true)) {
      LOG.warn(
          "{}: sending outside transactions although transactionalIdPrefix is set: only the lanes"
              + " of an ordered store have a transactional id",
          NAME);
    }
  }

  private Handover handover(ProducerSession session, Withheld withheld) {
    return new Handover(session, withheld, partitions, unknownTopics, maxBlock, System::nanoTime);
  }

  /** Ends at once: does not wait for the broker, and what is in flight becomes Unknown. */
  @Override
  public void close() {
    lines.ifPresent(Lines::close);
    producers.close();
  }

  static List<CompletionStage<SendOutcome>> unknown(List<Message> messages, String error) {
    CompletableFuture<SendOutcome> outcome =
        CompletableFuture.completedFuture(new SendOutcome.Unknown(error));
    return messages.stream().<CompletionStage<SendOutcome>>map(message -> outcome).toList();
  }
}
