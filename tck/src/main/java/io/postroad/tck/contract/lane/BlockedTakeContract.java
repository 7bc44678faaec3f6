package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Held messages are taken again, and {@code settleBlocked} says what became of them. */
@StoreContract
@OrderedOnly
public final class BlockedTakeContract {
  private static final Duration TEN = Duration.ofMinutes(10);

  @Test
  void aTakenMessageIsItsNextAttempt(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Claim> first = hold(tck, owner, Samples.ordered("k", 2));

    List<Claim> second = owner.takeBlocked(10);

    assertThat(second).extracting(Claim::attempt).as("retried, released").containsExactly(2, 1);
    assertThat(second).extracting(Claim::expiredOwner).allMatch(Optional::isEmpty);
    assertThat(second)
        .extracting(Claim::appendedAt)
        .containsExactly(first.get(0).appendedAt(), first.get(1).appendedAt());
    assertThat(tck.find(second.get(0).id()).attempts()).isEqualTo(2);
  }

  /** takeBlocked, MUST 1: the rest of a key comes after what the limit let through. */
  @Test
  void aLimitCutsAKeyAtItsEnd(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 5);
    hold(tck, owner, messages);
    List<Message> taken = new ArrayList<>();

    for (int i = 0; i < 3; i++) {
      List<Claim> claims = owner.takeBlocked(2);
      assertThat(claims).hasSizeLessThanOrEqualTo(2);
      claims.forEach(claim -> taken.add(claim.message()));
      owner.settleBlocked(claims.stream().<Settlement>map(Settlement.Delivered::new).toList());
    }

    assertThat(taken).containsExactlyElementsOf(messages);
    assertThat(owner.blockedKeys()).isEmpty();
  }

  /** takeBlocked, MUST 1, for several keys in one call. */
  @Test
  void severalKeysAreTakenAtOnceEachInOrder(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> a = Samples.ordered("a", 3);
    List<Message> b = Samples.ordered("b", 3);
    hold(tck, owner, a);
    hold(tck, owner, b);

    List<Message> all = owner.takeBlocked(10).stream().map(Claim::message).toList();
    assertThat(all).hasSize(6).containsSubsequence(a).containsSubsequence(b);
  }

  @Test
  void aLimitHoldsAcrossKeys(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    hold(tck, owner, Samples.ordered("a", 3));
    hold(tck, owner, Samples.ordered("b", 3));

    assertThat(owner.takeBlocked(4)).hasSize(4);
  }

  /** takeBlocked, MUST 2: it may be the message that kills its relay. */
  @Test
  void anAttemptThatWasNeverSettledIsNamedAndCounted(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    hold(tck, owner, Samples.ordered("k", 2));
    List<Claim> dying = owner.takeBlocked(1);

    LaneOwner nextOwner = LaneOwner.takeOver(tck, "node-2");
    List<Claim> next = nextOwner.takeBlocked(10);

    assertThat(next).hasSize(1);
    assertThat(next.get(0).id()).isEqualTo(dying.get(0).id());
    assertThat(next.get(0).expiredOwner()).contains(StoreUnderTest.OWNER);
    assertThat(next.get(0).attempt()).isEqualTo(dying.get(0).attempt() + 1);
    nextOwner.settleBlocked(new Settlement.Delivered(next.get(0)));
    assertThat(nextOwner.takeBlocked(10))
        .extracting(Claim::expiredOwner)
        .as("this one was not tried")
        .containsExactly(Optional.empty());
  }

  /** takeBlocked, MUST 3. */
  @Test
  void whatWasBeingSentInACrashIsTakenAlone(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 4);
    hold(tck, owner, messages);
    List<Claim> dying = owner.takeBlocked(3);

    LaneOwner next = LaneOwner.takeOver(tck, "node-2");
    List<Message> alone = new ArrayList<>();
    for (Claim unused : dying) {
      List<Claim> claims = next.takeBlocked(10);
      assertThat(claims).hasSize(1);
      alone.add(claims.get(0).message());
      next.settleBlocked(new Settlement.Delivered(claims.get(0)));
    }

    assertThat(alone).containsExactlyElementsOf(messages.subList(0, 3));
    assertThat(next.takeBlocked(10)).extracting(Claim::message).containsExactly(messages.get(3));
  }

  /** takeBlocked, MUST 3: it does not pass what comes before it in its key. */
  @Test
  void whatComesBeforeOneThatWasBeingSentInACrashIsTakenWithoutIt(StoreUnderTest tck)
      throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 3);
    hold(tck, owner, messages);
    owner.takeBlocked(3);
    LaneOwner next = LaneOwner.takeOver(tck, "node-2");
    Claim first = next.takeBlocked(10).get(0);
    next.settleBlocked(new Settlement.Release(first, Duration.ZERO, "broker away"));

    List<Claim> before = next.takeBlocked(10);
    assertThat(before).extracting(Claim::message).containsExactly(messages.get(0));
    assertThat(before.get(0).expiredOwner()).isEmpty();
    next.settleBlocked(new Settlement.Delivered(before.get(0)));

    List<Claim> then = next.takeBlocked(10);
    assertThat(then).extracting(Claim::message).containsExactly(messages.get(1));
    assertThat(then.get(0).expiredOwner()).contains(StoreUnderTest.OWNER);
  }

  /** takeBlocked, MUST 2: only those that were never settled. */
  @Test
  void anAttemptThatWasSettledNamesNobody(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    hold(tck, owner, Samples.ordered("k", 2));
    List<Claim> claims = owner.takeBlocked(10);
    owner.settleBlocked(
        new Settlement.Retry(claims.get(0), Duration.ZERO, "again"),
        new Settlement.Release(claims.get(1), Duration.ZERO, "waits"));

    assertThat(LaneOwner.takeOver(tck, "node-2").takeBlocked(10))
        .hasSize(2)
        .extracting(Claim::expiredOwner)
        .allMatch(Optional::isEmpty);
  }

  @Test
  void aDeliveredMessageGoesAndFreesItsKey(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = Samples.ordered("k");
    hold(tck, owner, List.of(message));
    Claim claim = owner.takeBlocked(10).get(0);

    assertThat(owner.settleBlocked(new Settlement.Delivered(claim)))
        .containsExactly(OrderKey.of(message));

    assertThat(owner.blockedKeys()).isEmpty();
    assertThat(owner.takeBlocked(10)).isEmpty();
    assertThat(owner.readMessages(10)).isEmpty();
    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.store().backlog().pending()).isZero();
  }

  @Test
  void aKeyIsFreeOnlyWhenNothingOfItIsLeft(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message other = Samples.ordered("other");
    hold(tck, owner, Samples.ordered("k", 2));
    hold(tck, owner, List.of(other));
    List<Claim> claims = owner.takeBlocked(10);
    Claim first = claims.stream().filter(claim -> !claim.message().equals(other)).toList().get(0);
    Claim alone = claims.stream().filter(claim -> claim.message().equals(other)).toList().get(0);

    assertThat(
            owner.settleBlocked(new Settlement.Delivered(first), new Settlement.Delivered(alone)))
        .containsExactly(OrderKey.of(other));

    assertThat(owner.blockedKeys()).containsExactly(OrderKey.of(first.message()));
  }

  /** settleBlocked: the first one that stays decides when the key is due. */
  @Test
  void aRetryComesAgainAfterItsDelayAndItsFollowersBehindIt(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 3);
    hold(tck, owner, messages);
    List<Claim> claims = owner.takeBlocked(10);
    owner.settleBlocked(
        new Settlement.Release(claims.get(2), Duration.ZERO, "waits"),
        new Settlement.Retry(claims.get(0), TEN, "again"),
        new Settlement.Release(claims.get(1), Duration.ZERO, "waits"));

    assertThat(owner.takeBlocked(10)).isEmpty();
    StoredMessage stored = tck.find(messages.get(0).id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isEqualTo(2);
    assertThat(stored.lastError()).contains("again");
    assertThat(stored.owner()).isEmpty();

    tck.advance(TEN.plusSeconds(1));
    List<Claim> next = owner.takeBlocked(10);
    assertThat(next).extracting(Claim::message).containsExactlyElementsOf(messages);
    assertThat(next.get(0).attempt()).isEqualTo(3);
  }

  /** settleBlocked: the first one that stays, not the first one that was settled. */
  @Test
  void theFirstThatStaysDecidesWhenTheKeyIsDue(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 3);
    hold(tck, owner, messages);
    List<Claim> claims = owner.takeBlocked(10);
    owner.settleBlocked(
        new Settlement.Delivered(claims.get(0)),
        new Settlement.Retry(claims.get(1), TEN, "again"),
        new Settlement.Release(claims.get(2), Duration.ZERO, "waits"));

    assertThat(owner.takeBlocked(10)).isEmpty();
    tck.advance(TEN.plusSeconds(1));

    assertThat(owner.takeBlocked(10))
        .extracting(Claim::message)
        .containsExactly(messages.get(1), messages.get(2));
  }

  @Test
  void aReleaseGivesTheAttemptBackAndComesAfterItsDelay(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    UUID id = hold(tck, owner, Samples.ordered("k", 1)).get(0).id();
    Claim claim = owner.takeBlocked(10).get(0);
    owner.settleBlocked(new Settlement.Release(claim, TEN, "broker away"));

    assertThat(tck.find(id).attempts()).isEqualTo(claim.attempt() - 1);
    assertThat(tck.find(id).lastError()).contains("broker away");
    assertThat(owner.takeBlocked(10)).isEmpty();
    tck.advance(TEN.plusSeconds(1));
    assertThat(owner.takeBlocked(10).get(0).attempt()).isEqualTo(claim.attempt());
  }

  /** settleBlocked: a dead one parks its key. */
  @Test
  void aDeadMessageStopsItsFollowers(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 2);
    hold(tck, owner, messages);
    List<Claim> claims = owner.takeBlocked(10);
    assertThat(
            owner.settleBlocked(
                new Settlement.Dead(claims.get(0), "gave up"),
                new Settlement.Release(claims.get(1), Duration.ZERO, "waits")))
        .isEmpty();

    tck.advance(Duration.ofDays(100));
    assertThat(owner.takeBlocked(10)).isEmpty();
    assertThat(owner.blockedKeys()).hasSize(1);
    StoredMessage stored = tck.find(messages.get(0).id());
    assertThat(stored.status()).isEqualTo(MessageStatus.FAILED);
    assertThat(stored.lastError()).contains("gave up");
    assertThat(stored.attempts()).isEqualTo(2);
    assertThat(tck.store().backlog().dead()).isEqualTo(1);
  }

  /** A key that was free again and fails again starts anew. */
  @Test
  void aFreedKeyMayBeHeldAgain(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    hold(tck, owner, Samples.ordered("k", 1));
    owner.settleBlocked(new Settlement.Delivered(owner.takeBlocked(10).get(0)));
    Message again = Samples.ordered("k");
    tck.append(again);
    owner.hold(new Settlement.Retry(owner.readOne(again), TEN, "failed"));

    assertThat(owner.takeBlocked(10)).isEmpty();
    tck.advance(TEN.plusSeconds(1));
    assertThat(owner.takeBlocked(10)).extracting(Claim::message).containsExactly(again);
  }

  /** Appends them, fails the first, lets the others wait behind it, until it is due. */
  private static List<Claim> hold(StoreUnderTest tck, LaneOwner owner, List<Message> messages)
      throws Exception {
    tck.append(messages);
    List<Claim> claims = owner.readAll(100).stream().map(LaneEntry::claim).toList();
    List<Settlement> held = new ArrayList<>();
    held.add(new Settlement.Retry(claims.get(0), Duration.ofSeconds(1), "failed by the test"));
    for (Claim follower : claims.subList(1, claims.size())) {
      held.add(new Settlement.Release(follower, Duration.ZERO, "waits"));
    }
    owner.hold(held);
    tck.advance(Duration.ofSeconds(2));
    return claims;
  }
}
