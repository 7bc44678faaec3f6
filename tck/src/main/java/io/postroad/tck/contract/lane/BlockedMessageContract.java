package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code advance} past messages that failed: they and the followers of their key are kept. */
@StoreContract
@OrderedOnly
public final class BlockedMessageContract {
  private static final Duration TEN = Duration.ofMinutes(10);

  /** advance, MUST 1: the lane goes on, and the message is not lost. */
  @Test
  void aHeldMessageIsPassedAndKept(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message failed = Samples.ordered("k");
    Message other = Samples.ordered("other");
    tck.append(failed, other);
    owner.hold(retry(read(owner, failed, other).get(0)));

    assertThat(owner.blockedKeys()).containsExactly(OrderKey.of(failed));
    assertThat(tck.find(other.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    LaneOwner next = LaneOwner.takeOver(tck, "node-2");
    assertThat(next.readMessages(10)).isEmpty();
    assertThat(next.blockedKeys()).containsExactly(OrderKey.of(failed));
  }

  /** isHeld: whatever its message waits for, and no longer than it does. */
  @Test
  void whoOwnsNoLaneSeesWhichKeysAreHeld(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message retried = Samples.ordered("a");
    Message parked = Samples.ordered("b");
    Message aside = Samples.ordered("c");
    Message delivered = Samples.ordered("d");
    tck.append(retried, parked, aside, delivered);
    List<Claim> claims = read(owner, retried, parked, aside, delivered);
    owner.hold(
        new Settlement.Retry(claims.get(0), TEN, "no luck"),
        new Settlement.Dead(claims.get(1), "never"),
        new Settlement.Blocked(claims.get(2), "down"));

    assertThat(List.of(retried, parked, aside, delivered))
        .extracting(message -> tck.ordered().blockedMessages().isBlocked(OrderKey.of(message)))
        .containsExactly(true, true, true, false);
    tck.advance(TEN);
    owner.settleBlocked(new Settlement.Delivered(owner.takeBlocked(10).get(0)));
    assertThat(tck.ordered().blockedMessages().isBlocked(OrderKey.of(retried))).isFalse();
  }

  @Test
  void eachOutcomeIsKeptWithTheMessage(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message retried = Samples.ordered("a");
    Message released = Samples.ordered("b");
    Message dead = Samples.ordered("c");
    tck.append(retried, released, dead);
    List<Claim> claims = read(owner, retried, released, dead);

    owner.hold(
        new Settlement.Retry(claims.get(0), TEN, "no luck"),
        new Settlement.Release(claims.get(1), TEN, "not now"),
        new Settlement.Dead(claims.get(2), "never"));

    assertKept(tck.find(retried.id()), MessageStatus.PENDING, 1, "no luck");
    assertKept(tck.find(released.id()), MessageStatus.PENDING, 0, "not now");
    assertKept(tck.find(dead.id()), MessageStatus.FAILED, 1, "never");
    assertThat(tck.find(retried.id()).message()).isEqualTo(retried);
    assertThat(tck.find(retried.id()).appendedAt()).isEqualTo(claims.get(0).appendedAt());
  }

  /** take, MUST 1: by the database's clock. */
  @Test
  void aHeldMessageIsTakenWhenItsDelayIsOver(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message failed = Samples.ordered("k");
    tck.append(failed);
    owner.hold(retry(owner.readOne(failed)));

    assertThat(owner.takeBlocked(10)).isEmpty();
    tck.advance(TEN.minusMinutes(1));
    assertThat(owner.takeBlocked(10)).isEmpty();

    tck.advance(Duration.ofMinutes(2));
    assertThat(owner.takeBlocked(10)).extracting(Claim::message).containsExactly(failed);
  }

  /** advance, MUST 2, and takeBlocked, MUST 1. */
  @Test
  void followersWaitAndComeInOrder(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 5);
    tck.append(messages);
    List<Claim> claims = read(owner, messages.toArray(Message[]::new));
    owner.hold(
        retry(claims.get(0)),
        wait(claims.get(1)),
        wait(claims.get(2)),
        wait(claims.get(3)),
        wait(claims.get(4)));

    assertThat(owner.takeBlocked(10)).as("none overtakes the first").isEmpty();
    tck.advance(TEN.plusSeconds(1));

    assertThat(owner.takeBlocked(10))
        .extracting(Claim::message)
        .containsExactlyElementsOf(messages);
  }

  /** advance, MUST 2: places decide, not the order of the list; the first decides the due time. */
  @Test
  void placesDecideWhateverTheOrderOfTheCall(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 3);
    tck.append(messages);
    List<Claim> claims = read(owner, messages.toArray(Message[]::new));

    owner.hold(wait(claims.get(2)), wait(claims.get(1)), retry(claims.get(0)));

    assertThat(owner.takeBlocked(10)).isEmpty();
    tck.advance(TEN.plusSeconds(1));
    assertThat(owner.takeBlocked(10))
        .extracting(Claim::message)
        .containsExactlyElementsOf(messages);
  }

  /** advance, MUST 2: a message that joins a blocked key moves nothing. */
  @Test
  void laterFollowersJoinAtTheEndAndMoveNoDueTime(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message first = Samples.ordered("k");
    Message second = Samples.ordered("k");
    tck.append(first);
    owner.hold(retry(owner.readOne(first)));
    tck.append(second);
    owner.hold(new Settlement.Release(owner.readOne(second), TEN.multipliedBy(9), "waits"));

    tck.advance(TEN.plusSeconds(1));

    assertThat(owner.takeBlocked(10)).extracting(Claim::message).containsExactly(first, second);
  }

  /** advance, MUST 2: a straggler has the place it was appended at, also here. */
  @Test
  void aLateCommitOfAHeldKeyTakesItsPlace(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message late = Samples.ordered("k");
    Message early = Samples.ordered("k");
    UserTransaction open = tck.begin();
    open.append(late);
    tck.append(early);
    owner.hold(retry(owner.readOne(early)));
    open.commit();
    owner.hold(wait(owner.readOne(late)));

    tck.advance(TEN.plusSeconds(1));

    assertThat(owner.takeBlocked(10)).extracting(Claim::message).containsExactly(late, early);
  }

  /** take, MUST 1: nothing of a key whose first message is dead. */
  @Test
  void aDeadMessageParksItsKey(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message dead = Samples.ordered("k");
    Message follower = Samples.ordered("k");
    tck.append(dead, follower);
    List<Claim> claims = read(owner, dead, follower);
    owner.hold(new Settlement.Dead(claims.get(0), "never"), wait(claims.get(1)));

    tck.advance(Duration.ofDays(100));

    assertThat(owner.takeBlocked(10)).isEmpty();
    assertThat(owner.blockedKeys()).containsExactly(OrderKey.of(dead));
    assertThat(tck.find(follower.id()).status()).isEqualTo(MessageStatus.PENDING);
  }

  /** take, MUST 1: without a gap, so a dead one in the middle is the end. */
  @Test
  void nobodyPassesADeadMessageInTheMiddle(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 3);
    tck.append(messages);
    List<Claim> claims = read(owner, messages.toArray(Message[]::new));
    owner.hold(
        retry(claims.get(0)), new Settlement.Dead(claims.get(1), "never"), wait(claims.get(2)));
    tck.advance(TEN.plusSeconds(1));

    List<Claim> taken = owner.takeBlocked(10);
    assertThat(taken).extracting(Claim::message).containsExactly(messages.get(0));
    assertThat(owner.settleBlocked(new Settlement.Delivered(taken.get(0)))).isEmpty();

    tck.advance(Duration.ofDays(100));
    assertThat(owner.takeBlocked(10)).isEmpty();
    assertThat(owner.blockedKeys()).hasSize(1);
  }

  /** OrderKey: a message without a key never waits. */
  @Test
  void messagesWithoutAKeyWaitForNobody(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message dead = Samples.message();
    Message soon = Samples.message();
    Message later = Samples.message();
    tck.append(dead, soon, later);
    List<Claim> claims = read(owner, dead, soon, later);
    owner.hold(
        new Settlement.Dead(claims.get(0), "never"), wait(claims.get(1)), retry(claims.get(2)));

    assertThat(owner.blockedKeys()).contains(OrderKey.of(soon), OrderKey.of(later));
    assertThat(owner.takeBlocked(10)).extracting(Claim::message).containsExactly(soon);
  }

  /** OrderKey: the messages of one key to one destination. */
  @Test
  void oneKeyAtTwoDestinationsIsTwoKeys(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message one = Message.event("A").to("one").key("k").json("{}").build();
    Message two = Message.event("A").to("two").key("k").json("{}").build();
    tck.append(one, two);
    List<Claim> claims = read(owner, one, two);
    owner.hold(new Settlement.Dead(claims.get(0), "never"), wait(claims.get(1)));

    assertThat(owner.blockedKeys()).containsExactlyInAnyOrder(OrderKey.of(one), OrderKey.of(two));
    assertThat(owner.takeBlocked(10)).extracting(Claim::message).containsExactly(two);
  }

  @Test
  void nothingHeldIsNothingToTake(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = Samples.ordered("k");
    tck.append(message);
    owner.readOne(message);
    owner.settle();

    assertThat(owner.blockedKeys()).isEmpty();
    assertThat(owner.takeBlocked(10)).isEmpty();
    assertThat(owner.settleBlocked()).isEmpty();
  }

  @Test
  void whoeverAsksIsToldWhetherAKeyIsHeld(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message retried = Samples.ordered("retried");
    Message parked = Samples.ordered("parked");
    Message aside = Samples.ordered("aside");
    Message delivered = Samples.ordered("delivered");
    tck.append(retried, parked, aside, delivered);
    List<Claim> claims = read(owner, retried, parked, aside, delivered);
    owner.hold(
        new Settlement.Retry(claims.get(0), Duration.ZERO, "no luck"),
        new Settlement.Dead(claims.get(1), "never"),
        new Settlement.Blocked(claims.get(2), "down"));

    OrderedStore<Object> other = StoreUnderTest.ordered(tck.anotherNode());
    for (Message held : List.of(retried, parked, aside)) {
      assertThat(other.blockedMessages().isBlocked(OrderKey.of(held)))
          .as("%s", held.key())
          .isTrue();
    }
    assertThat(other.blockedMessages().isBlocked(OrderKey.of(delivered))).isFalse();
    assertThat(other.blockedMessages().isBlocked(OrderKey.of("elsewhere", "retried"))).isFalse();
    owner.settleBlocked(new Settlement.Delivered(owner.takeBlocked(1).get(0)));
    assertThat(other.blockedMessages().isBlocked(OrderKey.of(retried))).isFalse();
  }

  @Test
  void aKeyOfAnyLaneIsFoundHeld(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(4);
    List<Message> messages = Stream.of("a", "b", "c", "d", "e").map(Samples::ordered).toList();
    for (Message message : messages) {
      tck.append(message);
      OrderKey key = OrderKey.of(message);
      assertThat(store.blockedMessages().isBlocked(key)).isFalse();
      LaneOwner owner = LaneOwner.take(store, key.lane(4), StoreUnderTest.OWNER);
      owner.hold(retry(owner.readOne(message)));
      owner.release();

      assertThat(store.blockedMessages().isBlocked(key)).isTrue();
    }
  }

  private static List<Claim> read(LaneOwner owner, Message... expected) {
    List<LaneEntry> entries = owner.readAll(100);
    assertThat(LaneOwner.messages(entries)).containsExactly(expected);
    return entries.stream().map(LaneEntry::claim).toList();
  }

  private static Settlement retry(Claim claim) {
    return new Settlement.Retry(claim, TEN, "failed by the test");
  }

  private static Settlement wait(Claim claim) {
    return new Settlement.Release(claim, Duration.ZERO, "waits for the one before it");
  }

  private static void assertKept(
      StoredMessage stored, MessageStatus status, int attempts, String error) {
    assertThat(stored.status()).isEqualTo(status);
    assertThat(stored.attempts()).isEqualTo(attempts);
    assertThat(stored.lastError()).contains(error);
  }
}
