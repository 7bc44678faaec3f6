package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.OrderedStore;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A scheduled message takes its place in the lane when it is due, by the database's clock. */
@StoreContract
@OrderedOnly
public final class LaneSchedulingContract {

  @Test
  void aMessageIsNotReadBeforeItIsDue(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Instant dueAt = tck.store().now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    Message message = Samples.notBefore(dueAt);
    tck.append(message);

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.message()).isEqualTo(message);
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.dueAt()).isEqualTo(dueAt);
    assertThat(owner.admitDue(10)).isZero();
    assertThat(owner.readMessages(10)).isEmpty();
    tck.advance(Duration.ofMinutes(50));
    assertThat(owner.admitDue(10)).isZero();
    assertThat(owner.readMessages(10)).isEmpty();

    tck.advance(Duration.ofMinutes(11));
    assertThat(owner.admitDue(10)).isEqualTo(1);
    assertThat(owner.readMessages(10)).containsExactly(message);
  }

  /** admitDue: at the lane's end, behind what was appended while it waited. */
  @Test
  void aScheduledMessageTakesItsPlaceWhenItIsAdmitted(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message scheduled = scheduled(tck, "k");
    Message before = Samples.ordered("k");
    Message after = Samples.ordered("k");
    tck.append(scheduled);
    tck.append(before);
    tck.advance(Duration.ofHours(2));

    assertThat(owner.admitDue(10)).isEqualTo(1);
    tck.append(after);

    assertThat(owner.readMessages(1)).containsExactly(before, scheduled, after);
  }

  @Test
  void aScheduledMessageHoldsBackNobody(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message scheduled = scheduled(tck, "k");
    List<Message> others = Samples.ordered("k", 3);
    UserTransaction transaction = tck.begin();
    transaction.append(scheduled);
    transaction.append(others.toArray(Message[]::new));
    transaction.commit();

    assertThat(owner.readMessages(10)).containsExactlyElementsOf(others);
    owner.settle();
    assertThat(tck.find(scheduled.id()).status()).isEqualTo(MessageStatus.PENDING);
  }

  @Test
  void aMessageIsAdmittedOnceAndDeliveredLikeAnyOther(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = scheduled(tck, "k");
    tck.append(message);
    tck.advance(Duration.ofHours(2));

    assertThat(owner.admitDue(10)).isEqualTo(1);
    assertThat(owner.admitDue(10)).isZero();
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.PENDING);
    assertThat(tck.store().backlog().pending()).isEqualTo(1);

    owner.readOne(message);
    owner.settle();
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(LaneOwner.takeOver(tck, "node-2").readMessages(10)).isEmpty();
  }

  @Test
  void aLimitLeavesTheRestForTheNextCall(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      messages.add(scheduled(tck, "k" + i));
    }
    tck.append(messages);
    tck.advance(Duration.ofHours(2));

    assertThat(List.of(owner.admitDue(2), owner.admitDue(2), owner.admitDue(2), owner.admitDue(2)))
        .containsExactly(2, 2, 1, 0);
    assertThat(owner.readMessages(10)).containsExactlyInAnyOrderElementsOf(messages);
  }

  @Test
  void onlyTheMessagesOfTheLaneAreAdmitted(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(4);
    Message message = scheduled(tck, "k");
    int lane = OrderKey.of(message).lane(4);
    tck.append(message);
    tck.advance(Duration.ofHours(2));

    assertThat(LaneOwner.take(store, (lane + 1) % 4, "node-1").admitDue(10)).isZero();
    assertThat(LaneOwner.take(store, lane, "node-1").admitDue(10)).isEqualTo(1);
  }

  @Test
  void aTimeInThePastIsDueAtOnce(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = Samples.notBefore(Instant.parse("2001-01-01T00:00:00Z"));
    tck.append(message);
    owner.admitDue(10);

    assertThat(owner.readMessages(10)).containsExactly(message);
  }

  @Test
  void aRolledBackScheduleIsNeverAdmitted(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    UserTransaction transaction = tck.begin();
    transaction.append(scheduled(tck, "k"));
    transaction.rollback();
    tck.advance(Duration.ofHours(2));

    assertThat(owner.admitDue(10)).isZero();
    assertThat(owner.readMessages(10)).isEmpty();
  }

  /** The next sweep is an hour away, so one sweep has to do. */
  @Test
  void aRelayAdmitsAllThatIsDueInOneSweepHoweverMuchItIs(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 35; i++) {
      messages.add(scheduled(tck, "k" + i));
    }
    tck.append(messages);
    tck.advance(Duration.ofHours(2));
    Message ordinary = Samples.ordered("ordinary");
    tck.append(ordinary);

    Relays.relay(
            tck,
            tck.store(),
            sender,
            Relays.options().withSweepEvery(Duration.ofHours(1)).withBatch(10).withMaxBatch(10))
        .start();

    Relays.eventually(() -> assertThat(tck.store().backlog().pending()).isZero());
    messages.add(ordinary);
    assertThat(sender.sent()).containsExactlyInAnyOrderElementsOf(messages);
  }

  /** Due in an hour. */
  private static Message scheduled(StoreUnderTest tck, String key) throws Exception {
    return Samples.builder()
        .key(key)
        .notBefore(tck.store().now().plus(Duration.ofHours(1)))
        .build();
  }
}
