package io.postroad.tck.contract.relay;

import static io.postroad.tck.contract.scene.DeadLetterScene.DECISION;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayOptions.PoisonKey;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** A relay and a key with a dead letter, while operators decide. */
@StoreContract
@OrderedOnly
public final class RelayPoisonContract {
  private static final RelayOptions EAGER =
      Relays.options().withSweepEvery(Duration.ofMillis(20)).withPurgeEvery(Duration.ofMillis(50));

  /** Refuses what is poison, for good, and writes down what arrives. */
  private static final class Receiver {
    final Set<UUID> poison = ConcurrentHashMap.newKeySet();
    final List<Message> arrived = new ArrayList<>();

    KeyKeepingSender sender() {
      return new KeyKeepingSender(
          RecordingSender.answering(
              message -> {
                if (poison.contains(message.id())) {
                  return SendOutcome.Rejected.forGood("poison");
                }
                synchronized (arrived) {
                  arrived.add(message);
                }
                return RecordingSender.accepted();
              }));
    }

    void awaitExactly(List<Message> messages) throws Exception {
      Relays.eventually(
          () -> {
            synchronized (arrived) {
              assertThat(arrived).containsExactlyElementsOf(messages);
            }
          });
    }
  }

  @Test
  void withSkipAKeyGoesOnWithoutItsDeadMessage(StoreUnderTest tck) throws Exception {
    Receiver receiver = new Receiver();
    List<Message> line = Samples.ordered("k", 4);
    receiver.poison.add(line.get(1).id());
    OutboxRelay relay =
        Relays.relay(tck, tck.store(), receiver.sender(), EAGER.withPoisonKey(PoisonKey.SKIP));
    Relays.append(tck.store(), line);
    Message later = Samples.ordered("k");

    relay.start();
    receiver.awaitExactly(List.of(line.get(0), line.get(2), line.get(3)));
    Relays.append(tck.store(), later);
    receiver.awaitExactly(List.of(line.get(0), line.get(2), line.get(3), later));
    relay.stop();

    assertThat(tck.find(line.get(1).id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(tck.ordered().blockedKeys().summary().keys()).isZero();
  }

  @Test
  void aReleasedKeyGoesOnInOrderBeforeAnythingNewer(StoreUnderTest tck) throws Exception {
    Receiver receiver = new Receiver();
    List<Message> line = Samples.ordered("k", 4);
    Message dead = line.get(1);
    receiver.poison.add(dead.id());
    OutboxRelay relay = running(tck, receiver);
    Relays.append(tck.store(), line.subList(0, 3));
    awaitDead(tck, dead);
    Relays.append(tck.store(), line.get(3));
    receiver.poison.clear();

    assertThat(tck.ordered().blockedKeys().release(OrderKey.of(dead), DECISION)).isTrue();

    receiver.awaitExactly(line);
    relay.stop();
  }

  @Test
  void aReplacementArrivesInTheDeadOnesPlace(StoreUnderTest tck) throws Exception {
    Receiver receiver = new Receiver();
    List<Message> line = Samples.ordered("k", 3);
    Message dead = line.get(0);
    receiver.poison.add(dead.id());
    OutboxRelay relay = running(tck, receiver);
    Relays.append(tck.store(), line);
    awaitDead(tck, dead);
    Message edited = Samples.ordered("k");

    tck.store().deadLetters().replace(dead.id(), edited, DECISION);

    receiver.awaitExactly(List.of(edited, line.get(1), line.get(2)));
    relay.stop();
  }

  @Test
  void aKeyGoesOnWhenItsDeadLetterIsSkippedOrDiscarded(StoreUnderTest tck) throws Exception {
    Receiver receiver = new Receiver();
    List<Message> line = Samples.ordered("k", 4);
    receiver.poison.add(line.get(0).id());
    receiver.poison.add(line.get(2).id());
    OutboxRelay relay = running(tck, receiver);
    Relays.append(tck.store(), line);
    awaitDead(tck, line.get(0));

    tck.ordered().blockedKeys().skip(List.of(line.get(0).id()), DECISION);
    awaitDead(tck, line.get(2));
    tck.store().deadLetters().discard(List.of(line.get(2).id()), DECISION);

    receiver.awaitExactly(List.of(line.get(1), line.get(3)));
    receiver.poison.clear();
    tck.store().deadLetters().replay(List.of(line.get(0).id()), DECISION);
    receiver.awaitExactly(List.of(line.get(1), line.get(3), line.get(0)));
    relay.stop();
  }

  /** A key of which nothing is left is free again, for a relay that has held it. */
  @Test
  void newMessagesPassAfterTheOnlyOneWasDiscarded(StoreUnderTest tck) throws Exception {
    Receiver receiver = new Receiver();
    Message dead = Samples.ordered("k");
    Message next = Samples.ordered("k");
    receiver.poison.add(dead.id());
    OutboxRelay relay = running(tck, receiver);
    Relays.append(tck.store(), dead);
    awaitDead(tck, dead);

    tck.store().deadLetters().discard(List.of(dead.id()), DECISION);
    Relays.append(tck.store(), next);

    receiver.awaitExactly(List.of(next));
    relay.stop();
  }

  @Test
  void whatIsParkedIsTold(StoreUnderTest tck) throws Exception {
    Receiver receiver = new Receiver();
    List<Message> line = Samples.ordered("k", 3);
    receiver.poison.add(line.get(0).id());
    Semaphore told = new Semaphore(0);
    OutboxRelay relay =
        tck.closedAtEnd(
            Relays.builder(tck.store(), receiver.sender())
                .options(EAGER)
                .observer(
                    signal -> {
                      if (signal instanceof OutboxSignal.KeysParked parked
                          && parked.keys() == 1
                          && parked.messages() == 3) {
                        told.release();
                      }
                    })
                .build());
    Relays.append(tck.store(), line);
    relay.start();

    Relays.eventually(() -> assertThat(told.availablePermits()).isPositive());
    relay.stop();
  }

  private static OutboxRelay running(StoreUnderTest tck, Receiver receiver) throws Exception {
    OutboxRelay relay = Relays.relay(tck, tck.store(), receiver.sender(), EAGER);
    relay.start();
    return relay;
  }

  private static void awaitDead(StoreUnderTest tck, Message message) throws Exception {
    Relays.eventually(
        () -> assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.FAILED));
  }
}
