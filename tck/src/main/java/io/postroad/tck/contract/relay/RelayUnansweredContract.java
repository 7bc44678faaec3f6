package io.postroad.tck.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.store.MessageStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A sender that never answers for some keys holds up those keys and no other. */
@StoreContract
@OrderedOnly
public final class RelayUnansweredContract {
  /** With room for 40 messages between read and advance. */
  private static final RelayOptions SMALL =
      Relays.options()
          .withSweepEvery(Duration.ofMillis(20))
          .withBatch(5)
          .withMaxBatch(5)
          .withMaxAttempts(2)
          .withBackoff(new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 0));

  private final SilentKeysSender sender = new SilentKeysSender();
  private final List<OutboxSignal> bad = new CopyOnWriteArrayList<>();

  /** More messages than can be in flight wait for an answer, those of each key behind its first. */
  @Test
  void keysThatGetNoAnswerHoldUpNoOther(StoreUnderTest tck) throws Exception {
    List<Message> messages = messages(20, 15);
    List<Message> silent = messages.stream().filter(each -> number(each) < 3).toList();
    silent.forEach(each -> sender.silence(each.key().orElseThrow()));
    start(tck);

    Relays.append(tck.store(), messages);
    Relays.eventually(
        tck, () -> assertThat(sender.arrived()).hasSize(messages.size() - silent.size()));
    sender.answerAll();

    assertAllArrive(tck, messages);
  }

  /**
   * Each comes with a key of its own, as from a destination of which a part is out of reach. More
   * get no answer than can be in flight.
   */
  @Test
  void aTrickleGoesOnWhileMoreAndMoreKeysGetNoAnswer(StoreUnderTest tck) throws Exception {
    List<Message> messages = messages(100, 1);
    start(tck);

    for (int first = 0; first < messages.size(); first += 10) {
      List<Message> few = messages.subList(first, first + 10);
      for (int silent = 0; silent < few.size(); silent += 2) {
        sender.silence(few.get(silent).key().orElseThrow());
      }
      Relays.append(tck.store(), few);
    }
    Relays.eventually(tck, () -> assertThat(sender.arrived()).hasSize(50));
    sender.answerAll();

    assertAllArrive(tck, messages);
  }

  /** A quiet time: the destination seems to be down until a message of another key tries it. */
  @Test
  void aKeyThatGetsNoAnswerDoesNotKeepItsDestinationDown(StoreUnderTest tck) throws Exception {
    Message first = numbered(1, 1);
    Message other = numbered(2, 1);
    sender.silence(first.key().orElseThrow());
    tck.closedAtEnd(
            Relays.builder(tck.store(), sender)
                .options(SMALL.withBreakAfter(2).withProbeEvery(Duration.ofMillis(50)))
                .build())
        .start();

    Relays.append(tck.store(), first);
    Relays.eventually(tck, () -> assertThat(sender.unanswered()).hasSizeGreaterThan(3));
    Relays.append(tck.store(), other);

    Relays.eventually(tck, () -> assertThat(sender.arrived()).containsExactly(other));
  }

  private void start(StoreUnderTest tck) throws Exception {
    tck.closedAtEnd(
            Relays.builder(tck.store(), sender).options(SMALL).observer(this::observe).build())
        .start();
  }

  private void observe(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.Died
        || signal instanceof OutboxSignal.RetryScheduled
        || signal instanceof OutboxSignal.DestinationDown) {
      bad.add(signal);
    }
  }

  private void assertAllArrive(StoreUnderTest tck, List<Message> messages) throws Exception {
    Relays.eventually(tck, () -> assertThat(tck.store().backlog().pending()).isZero());
    Set<Object> seen = new HashSet<>();
    List<Message> first = sender.arrived().stream().filter(each -> seen.add(each.id())).toList();
    assertThat(first).hasSameSizeAs(messages);
    messages.stream()
        .map(message -> message.key().orElseThrow())
        .distinct()
        .forEach(key -> assertThat(ofKey(first, key)).as(key).isEqualTo(ofKey(messages, key)));
    assertThat(bad).as("attempts used up, dead letters, destinations down").isEmpty();
    assertThat(tck.find(messages.get(0).id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  private static List<Object> ofKey(List<Message> messages, String key) {
    return messages.stream()
        .filter(message -> message.key().orElseThrow().equals(key))
        .<Object>map(Message::id)
        .toList();
  }

  private static int number(Message message) {
    return Integer.parseInt(message.key().orElseThrow().substring("key-".length()));
  }

  private static List<Message> messages(int keys, int each) {
    List<Message> messages = new ArrayList<>();
    for (int round = 1; round <= each; round++) {
      for (int key = 0; key < keys; key++) {
        messages.add(numbered(key, round));
      }
    }
    return messages;
  }

  private static Message numbered(int key, int number) {
    return Message.event("Numbered")
        .to("orders")
        .key("key-" + key)
        .schemaVersion(number)
        .json("{}")
        .build();
  }
}
