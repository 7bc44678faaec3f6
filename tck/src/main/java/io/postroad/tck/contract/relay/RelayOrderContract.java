package io.postroad.tck.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Membership;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.MessageStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Order per key from append to the sender, with relays on this store. */
@StoreContract
@OrderedOnly
public final class RelayOrderContract {
  /** Without the breaker, which has contracts of its own: here many fail in a row. */
  private static final RelayOptions EAGER =
      Relays.options()
          .withSweepEvery(Duration.ofMillis(20))
          .withBatch(7)
          .withMaxBatch(30)
          .withBreakAfter(0);

  @Test
  void messagesOfAKeyArriveInTheOrderOfTheirTransactions(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    List<Message> messages = interleaved(5, 40);
    for (Message message : messages) {
      Relays.append(tck.store(), message);
    }

    Relays.drain(Relays.relay(tck, tck.store(), sender, EAGER));

    assertInOrderPerKey(sender.sent(), messages);
  }

  /** At first everything is rejected for now; held-back messages come again in order. */
  @Test
  void orderHoldsThroughRejections(StoreUnderTest tck) throws Exception {
    Set<Object> rejectedBefore = ConcurrentHashMap.newKeySet();
    List<Message> arrived = new CopyOnWriteArrayList<>();
    RecordingSender sender =
        RecordingSender.answering(
            message -> {
              if (message.schemaVersion() % 4 == 0 && rejectedBefore.add(message.id())) {
                return SendOutcome.Rejected.forNow("not yet");
              }
              arrived.add(message);
              return RecordingSender.accepted();
            });
    List<Message> messages = interleaved(5, 20);
    OutboxRelay relay = Relays.relay(tck, tck.store(), keepingKeys(sender), EAGER);
    for (Message message : messages) {
      Relays.append(tck.store(), message);
    }

    for (int round = 0; round < 40 && arrived.size() < messages.size(); round++) {
      Relays.drain(relay);
      tck.advance(Relays.FIRST_WAIT.multipliedBy(2));
    }

    assertInOrderPerKey(arrived, messages);
  }

  /** Unknown is not "not sent", and those behind it do not pass it. */
  @Test
  void orderHoldsThroughUnknownOutcomes(StoreUnderTest tck) throws Exception {
    Set<Object> unknownBefore = ConcurrentHashMap.newKeySet();
    List<Message> arrived = new CopyOnWriteArrayList<>();
    RecordingSender sender =
        RecordingSender.answering(
            message -> {
              if (message.schemaVersion() % 4 == 0 && unknownBefore.add(message.id())) {
                return new SendOutcome.Unknown("timed out");
              }
              arrived.add(message);
              return RecordingSender.accepted();
            });
    List<Message> messages = interleaved(5, 20);
    OutboxRelay relay = Relays.relay(tck, tck.store(), keepingKeys(sender), EAGER);
    for (Message message : messages) {
      Relays.append(tck.store(), message);
    }

    relay.start();
    Relays.eventually(() -> assertThat(tck.store().backlog().pending()).isZero());
    relay.stop();

    assertInOrderPerKey(arrived, messages);
  }

  @Test
  void aDeadMessageParksItsKeyAndNoOther(StoreUnderTest tck) throws Exception {
    Message dead = keyed("a", 1);
    Message behind = keyed("a", 2);
    Message other = keyed("b", 1);
    RecordingSender sender =
        RecordingSender.answering(
            message ->
                message.id().equals(dead.id())
                    ? SendOutcome.Rejected.forGood("too large")
                    : RecordingSender.accepted());
    Relays.append(tck.store(), List.of(dead, behind, other));

    OutboxRelay relay = Relays.relay(tck, keepingKeys(sender));
    Relays.drain(relay);
    tck.advance(Duration.ofHours(1));
    Relays.drain(relay);

    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(tck.find(behind.id()).status()).isEqualTo(MessageStatus.PENDING);
    assertThat(tck.find(other.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(sender.sentIds()).containsExactlyInAnyOrder(dead.id(), other.id());
  }

  @Test
  void aStandbyTakesOverAfterACleanStopWithoutRepeats(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    OutboxStore<Object> another = tck.anotherNode();
    List<Message> messages = interleaved(4, 30);
    OutboxRelay first = Relays.relay(tck, tck.store(), sender, EAGER);
    OutboxRelay second = Relays.relay(tck, another, sender, EAGER.withName("relay-2"));
    first.start();
    Relays.append(tck.store(), messages.subList(0, 60));
    sender.awaitSent(60);
    second.start();

    first.stop();
    Relays.append(tck.store(), messages.subList(60, 120));

    sender.awaitSent(120);
    Relays.eventually(() -> assertThat(tck.store().backlog().pending()).isZero());
    second.stop();
    assertInOrderPerKey(sender.sent(), messages);
    assertThat(sender.sent()).as("no repeats").hasSameSizeAs(messages);
  }

  @Test
  void anOwnerWhoseLaneWasTakenHearsItAndChangesNothing(StoreUnderTest tck) throws Exception {
    Semaphore lost = new Semaphore(0);
    OutboxRelay relay =
        tck.closedAtEnd(
            Relays.builder(tck.store(), RecordingSender.accepting())
                .options(EAGER)
                .observer(
                    signal -> {
                      if (signal instanceof OutboxSignal.LaneLost) {
                        lost.release();
                      }
                    })
                .build());
    relay.start();
    Message before = keyed("a", 1);
    Relays.append(tck.store(), before);
    Relays.eventually(
        () -> assertThat(tck.find(before.id()).status()).isEqualTo(MessageStatus.DISPATCHED));

    tck.advance(EAGER.laneLeaseFor().multipliedBy(2));
    for (int lane = 0; lane < tck.ordered().lanes().count(); lane++) {
      assertThat(tck.ordered().lanes().take(lane, "usurper", Relays.LEASE)).isPresent();
    }

    assertThat(lost.tryAcquire(60, TimeUnit.SECONDS)).as("LaneLost heard").isTrue();
    Message after = keyed("a", 2);
    Relays.append(tck.store(), after);
    relay.stop();
    assertThat(tck.find(after.id()).status()).isEqualTo(MessageStatus.PENDING);
  }

  /** Without waiting for the lease, which no clock brings to its end here. */
  @Test
  void aNodeTakesBackItsOwnLaneAtOnce(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    OutboxRelay relay = Relays.relay(tck, tck.store(), sender, EAGER);
    relay.start();
    Message before = keyed("a", 1);
    Relays.append(tck.store(), before);
    sender.awaitSent(1);

    takeInTheNameOfTheOwner(tck);
    Message after = keyed("a", 2);
    Relays.append(tck.store(), after);

    Relays.eventually(
        () -> assertThat(tck.find(after.id()).status()).isEqualTo(MessageStatus.DISPATCHED));
  }

  /** The sends of the earlier epoch are given up before the next one repeats them. */
  @Test
  void aNodeEndsItsSendSessionBeforeItTakesBackItsOwnLane(StoreUnderTest tck) throws Exception {
    SilentAtFirstSender sender = new SilentAtFirstSender();
    OutboxRelay relay = Relays.relay(tck, tck.store(), sender, EAGER);
    List<Message> messages = List.of(keyed("a", 1), keyed("a", 2));
    relay.start();
    Relays.append(tck.store(), messages);
    Relays.eventually(
        () ->
            assertThat(sender.happened())
                .containsExactly("open 1", "send a1 in 1", "send a2 in 1"));

    takeInTheNameOfTheOwner(tck);

    Relays.eventually(
        () ->
            assertThat(sender.happened())
                .containsExactly(
                    "open 1",
                    "send a1 in 1",
                    "send a2 in 1",
                    "close 1",
                    "open 2",
                    "send a1 in 2",
                    "send a2 in 2"));
  }

  /** As after a restart of the database: the epoch that the owner knows does not hold any more. */
  private static void takeInTheNameOfTheOwner(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered();
    Membership board = store.lanes().heartbeat("onlooker", Duration.ofMillis(1));
    store.lanes().leave("onlooker");
    for (Membership.LaneOwner seat : board.lanes()) {
      if (seat.owner().isPresent()) {
        assertThat(store.lanes().take(seat.lane(), seat.owner().get(), Relays.LEASE)).isPresent();
      }
    }
  }

  private static MessageSender keepingKeys(RecordingSender sender) {
    return new KeyKeepingSender(sender);
  }

  private static Message keyed(String key, int number) {
    return Message.event("Numbered").to("orders").key(key).schemaVersion(number).json("{}").build();
  }

  /** Key after key, round after round; the number within the key is the schema version. */
  private static List<Message> interleaved(int keys, int each) {
    List<Message> messages = new ArrayList<>();
    for (int number = 1; number <= each; number++) {
      for (int key = 0; key < keys; key++) {
        messages.add(keyed("key-" + key, number));
      }
    }
    return messages;
  }

  private static void assertInOrderPerKey(List<Message> arrived, List<Message> all) {
    Set<Object> seen = ConcurrentHashMap.newKeySet();
    List<Message> first = arrived.stream().filter(message -> seen.add(message.id())).toList();
    assertThat(first).as("arrived").hasSameSizeAs(all);
    all.stream()
        .map(message -> message.key().orElseThrow())
        .distinct()
        .forEach(
            key ->
                assertThat(ofKey(first, key))
                    .as("first occurrences of %s", key)
                    .isEqualTo(ofKey(all, key)));
  }

  private static List<Integer> ofKey(List<Message> messages, String key) {
    return messages.stream()
        .filter(message -> message.key().orElseThrow().equals(key))
        .map(Message::schemaVersion)
        .toList();
  }
}
