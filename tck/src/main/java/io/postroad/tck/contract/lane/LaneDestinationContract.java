package io.postroad.tck.contract.lane;

import static io.postroad.tck.contract.scene.Destinations.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.DeadLetterScene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys whose destination is not open wait until it is, in order, however long that takes. */
@StoreContract
@OrderedOnly
public final class LaneDestinationContract {

  /** The owner of the only lane, which sets messages aside. */
  private static final class Scene {
    final StoreUnderTest tck;
    final OrderedStore<Object> store;
    final LaneOwner owner;

    Scene(StoreUnderTest tck) throws Exception {
      this.tck = tck;
      this.store = tck.ordered(1);
      this.owner = LaneOwner.of(tck);
    }

    /** Appends messages and passes them, set aside. */
    void setAside(List<Message> messages) throws Exception {
      owner.hold(aside(read(messages)));
    }

    void setAside(Message... messages) throws Exception {
      setAside(List.of(messages));
    }

    /** Appends messages, which must be the only ones, and reads them. */
    List<Claim> read(List<Message> messages) throws Exception {
      tck.append(messages);
      List<Claim> claims = owner.readAll(1_000).stream().map(LaneEntry::claim).toList();
      assertThat(claims).extracting(Claim::message).containsExactlyElementsOf(messages);
      return claims;
    }

    List<Message> due() {
      return owner.takeBlocked(100).stream().map(Claim::message).toList();
    }

    Set<OrderKey> open(String destination, int limit) {
      return store.blockedMessages().open(owner.lease(), destination, limit);
    }

    Set<String> destinationsAside() {
      return store.blockedMessages().destinations(owner.lease());
    }
  }

  @Test
  void aKeySetAsideIsNotDueBeforeItIsOpened(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> line = line("a", "k", 3);
    scene.setAside(line);

    tck.advance(Duration.ofDays(400));
    LaneOwner owner = LaneOwner.take(scene.store, 0, StoreUnderTest.OWNER);
    assertThat(owner.takeBlocked(100)).isEmpty();

    assertThat(scene.store.blockedMessages().open(owner.lease(), "a", 10))
        .containsExactly(key(line));
    assertThat(owner.takeBlocked(100)).extracting(Claim::message).containsExactlyElementsOf(line);
  }

  @Test
  void attemptsAreNotCountedAndTheReasonIsKept(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    Message message = to("a", "k");
    scene.setAside(message);

    StoredMessage stored = tck.find(message.id());
    assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(stored.attempts()).isZero();
    assertThat(stored.lastError()).contains("a is down");
    assertThat(stored.dueAt()).isEqualTo(BlockedDestination.DUE_AT);

    scene.open("a", 1);
    Claim claim = scene.owner.takeBlocked(10).get(0);
    assertThat(claim.attempt()).isEqualTo(1);
    scene.owner.settleBlocked(new Settlement.Blocked(claim, "a is still down"));
    assertThat(tck.find(message.id()).attempts()).isZero();
    assertThat(tck.find(message.id()).lastError()).contains("a is still down");
    assertThat(scene.due()).isEmpty();
  }

  /** An owner has the destinations instead: there may be more keys than it wants to remember. */
  @Test
  void keysSetAsideAreNotAmongTheHeldKeys(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    Message held = to("a", "held");
    List<Claim> claims = scene.read(List.of(to("a", "k"), held, to("b", "k")));
    scene.owner.hold(
        new Settlement.Blocked(claims.get(0), "down"),
        new Settlement.Retry(claims.get(1), Duration.ofHours(1), "later"),
        new Settlement.Blocked(claims.get(2), "down"));

    assertThat(scene.owner.blockedKeys()).containsExactly(OrderKey.of(held));
    assertThat(scene.destinationsAside()).containsExactlyInAnyOrder("a", "b");

    Set<OrderKey> opened = scene.open("a", 10);
    assertThat(scene.owner.blockedKeys())
        .containsAll(opened)
        .contains(OrderKey.of(held))
        .hasSize(2);
    assertThat(scene.destinationsAside()).containsExactly("b");
  }

  @Test
  void asManyKeysAreOpenedAsAskedForTheLongestWaitingFirst(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> messages = new ArrayList<>();
    for (String key : List.of("3", "1", "2")) {
      messages.add(to("a", key));
      scene.setAside(messages.get(messages.size() - 1));
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(scene.open("a", 1)).containsExactly(OrderKey.of(messages.get(0)));
    List<Claim> first = scene.owner.takeBlocked(10);
    assertThat(first).extracting(Claim::message).containsExactly(messages.get(0));
    scene.owner.settleBlocked(aside(first));

    assertThat(scene.open("a", 2))
        .as("a key that was tried goes to the end")
        .containsExactlyInAnyOrder(OrderKey.of(messages.get(1)), OrderKey.of(messages.get(2)));
    assertThat(scene.open("a", 2)).containsExactly(OrderKey.of(messages.get(0)));
    assertThat(scene.open("a", 2)).isEmpty();
  }

  @Test
  void messagesWithoutAKeyAreOpenedToo(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    Message alone = Message.event("OrderPlaced").to("a").json("{}").build();
    scene.setAside(alone);
    assertThat(scene.destinationsAside()).containsExactly("a");

    assertThat(scene.open("a", 10)).hasSize(1);

    assertThat(scene.due()).containsExactly(alone);
  }

  @Test
  void laterMessagesOfTheKeyComeBehind(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> line = line("a", "k", 4);
    scene.setAside(line.get(0));
    scene.setAside(line.get(1));
    Claim behind = scene.read(List.of(line.get(2))).get(0);
    scene.owner.hold(new Settlement.Release(behind, Duration.ZERO, "waits behind another"));
    assertThat(scene.due()).as("a follower makes no key due").isEmpty();

    scene.open("a", 10);
    scene.setAside(line.get(3));

    assertThat(scene.due()).as("a follower blocks no key").containsExactlyElementsOf(line);
  }

  @Test
  void theFirstOneThatStaysDecides(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> line = line("a", "k", 3);
    scene.setAside(line);
    scene.open("a", 10);
    List<Claim> claims = scene.owner.takeBlocked(10);

    scene.owner.settleBlocked(
        new Settlement.Delivered(claims.get(0)),
        new Settlement.Blocked(claims.get(1), "a is down again"),
        new Settlement.Release(claims.get(2), Duration.ZERO, "waits behind another"));

    assertThat(scene.due()).isEmpty();
    assertThat(scene.open("a", 10)).containsExactly(key(line));
    assertThat(scene.due()).containsExactlyElementsOf(line.subList(1, 3));
  }

  @Test
  void openedMessagesThatWereDeliveredFreeTheirKey(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> line = line("a", "k", 2);
    scene.setAside(line);
    scene.open("a", 10);
    List<Settlement> delivered =
        scene.owner.takeBlocked(10).stream().<Settlement>map(Settlement.Delivered::new).toList();

    assertThat(scene.owner.settleBlocked(delivered)).containsExactly(key(line));

    assertThat(scene.destinationsAside()).isEmpty();
    assertThat(scene.open("a", 10)).isEmpty();
  }

  @Test
  void openingTouchesNothingElse(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    Message waiting = to("b", "k");
    scene.setAside(waiting);
    List<Claim> claims = scene.read(List.of(to("a", "retried"), to("a", "dead")));
    scene.owner.hold(
        new Settlement.Retry(claims.get(0), Duration.ofHours(1), "later"),
        new Settlement.Dead(claims.get(1), "never"));

    assertThat(scene.destinationsAside()).containsExactly("b");
    assertThat(scene.open("a", 10)).isEmpty();

    assertThat(scene.due()).isEmpty();
    assertThat(scene.store.blockedKeys().list(Optional.empty(), 10)).hasSize(1);
  }

  /** A parked key waits for a person, not for its destination. */
  @Test
  void aKeyWhoseFirstMessageDiesIsParkedAndNotSetAside(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> line = line("a", "k", 2);
    scene.setAside(line);
    scene.open("a", 10);
    List<Claim> claims = scene.owner.takeBlocked(10);
    scene.owner.settleBlocked(
        new Settlement.Dead(claims.get(0), "never"),
        new Settlement.Blocked(claims.get(1), "a is down"));

    assertThat(scene.destinationsAside()).isEmpty();
    assertThat(scene.open("a", 10)).isEmpty();
    scene.store.blockedKeys().release(key(line), DeadLetterScene.DECISION);
    assertThat(scene.due()).containsExactlyElementsOf(line);
  }

  /** A decision about the first message of a key makes it due. */
  @Test
  void aReplayedMessageBeforeThoseSetAsideIsDue(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> line = line("a", "k", 2);
    scene.owner.hold(new Settlement.Dead(scene.read(line.subList(0, 1)).get(0), "never"));
    scene.store.blockedKeys().skip(List.of(line.get(0).id()), DeadLetterScene.DECISION);
    scene.setAside(line.get(1));

    scene.store.deadLetters().replay(List.of(line.get(0).id()), DeadLetterScene.DECISION);

    assertThat(scene.destinationsAside()).isEmpty();
    assertThat(scene.owner.blockedKeys()).contains(key(line));
    assertThat(scene.due()).containsExactlyElementsOf(line);
  }

  @Test
  void theNextOwnerOpensWhatTheLastOneSetAside(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    List<Message> line = line("a", "k", 3);
    scene.setAside(line);

    LaneOwner next = LaneOwner.takeOver(tck, "node-2");

    assertThat(scene.store.blockedMessages().destinations(next.lease())).containsExactly("a");
    assertThat(scene.store.blockedMessages().open(next.lease(), "a", 10))
        .containsExactly(key(line));
    assertThat(next.takeBlocked(10)).extracting(Claim::message).containsExactlyElementsOf(line);
  }

  @Test
  void aLaneOpensItsOwnKeysOnly(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(2);
    List<LaneOwner> owners =
        List.of(
            LaneOwner.take(store, 0, StoreUnderTest.OWNER),
            LaneOwner.take(store, 1, StoreUnderTest.OWNER));
    List<Message> messages = IntStream.range(0, 20).mapToObj(i -> to("a", "k" + i)).toList();
    tck.append(messages);
    for (LaneOwner owner : owners) {
      owner.hold(aside(owner.readAll(100).stream().map(LaneEntry::claim).toList()));
    }

    Set<OrderKey> opened = store.blockedMessages().open(owners.get(0).lease(), "a", 100);

    assertThat(opened).isNotEmpty().allMatch(key -> key.lane(2) == 0);
    assertThat(owners.get(1).takeBlocked(100)).isEmpty();
    assertThat(store.blockedMessages().destinations(owners.get(0).lease())).isEmpty();
    assertThat(store.blockedMessages().destinations(owners.get(1).lease())).containsExactly("a");
  }

  @Test
  void openingNoneIsRefused(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);

    assertThatThrownBy(() -> scene.open("a", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 or more, got 0");
  }

  @Test
  void messagesAreCountedByDestination(StoreUnderTest tck) throws Exception {
    Scene scene = new Scene(tck);
    scene.setAside(line("b", "k", 3));
    tck.advance(Duration.ofMinutes(5));
    LaneOwner owner = LaneOwner.take(scene.store, 0, StoreUnderTest.OWNER);
    Message late = to("a", "k");
    tck.append(late);
    owner.hold(aside(List.of(owner.readOne(late))));

    List<BlockedDestination> waiting = scene.store.blocked();

    assertThat(waiting).extracting(BlockedDestination::destination).containsExactly("a", "b");
    assertThat(waiting).extracting(BlockedDestination::messages).containsExactly(1L, 3L);
    assertThat(waiting.get(0).oldest()).isLessThan(Duration.ofMinutes(1));
    assertThat(waiting.get(1).oldest()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
    assertThat(scene.store.backlog().pending()).isEqualTo(4);
    assertThat(scene.store.backlog().lag()).as("none is late").isZero();
  }

  private static List<Message> line(String destination, String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> to(destination, key)).toList();
  }

  private static OrderKey key(List<Message> line) {
    return OrderKey.of(line.get(0));
  }

  private static List<Settlement> aside(List<Claim> claims) {
    return claims.stream()
        .<Settlement>map(
            claim -> new Settlement.Blocked(claim, claim.message().destination() + " is down"))
        .toList();
  }
}
