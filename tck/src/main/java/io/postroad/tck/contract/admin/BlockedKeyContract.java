package io.postroad.tck.contract.admin;

import static io.postroad.tck.contract.scene.DeadLetterScene.DECISION;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.AuditEntry;
import io.postroad.store.BlockedKey;
import io.postroad.store.BlockedSummary;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.tck.Capability;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.lane.LaneOwner;
import io.postroad.tck.contract.scene.Ending;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A dead letter parks its key, until a person lets it go on: with it, without it, or without a
 * trace.
 */
@StoreContract
@OrderedOnly
public final class BlockedKeyContract {

  /** A key whose first message is dead and whose others wait behind it. */
  private static final class Line {
    final OrderedStore<Object> store;
    final LaneOwner owner;
    final List<Message> messages = Samples.ordered("k", 3);
    final Message dead = messages.get(0);
    final OrderKey key = OrderKey.of(dead);

    Line(StoreUnderTest tck, boolean parks) throws Exception {
      this.store = tck.ordered(1);
      this.owner = LaneOwner.of(tck);
      tck.append(messages);
      List<Claim> claims = owner.readAll(100).stream().map(LaneEntry::claim).toList();
      owner.hold(
          new Settlement.Dead(claims.get(0), "refused", parks),
          waits(claims.get(1)),
          waits(claims.get(2)));
    }

    List<Message> due() {
      return owner.takeBlocked(100).stream().map(Claim::message).toList();
    }
  }

  @Test
  void aParkedKeyIsShown(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);
    Instant died = line.store.deadLetters().find(line.dead.id()).orElseThrow().diedAt();

    assertThat(line.store.blockedKeys().list(Optional.empty(), 10))
        .containsExactly(new BlockedKey(line.key, 0, line.dead.id(), died, "refused", 3));
    tck.advance(Duration.ofMinutes(5));
    BlockedSummary parked = line.store.blockedKeys().summary();
    assertThat(parked.keys()).isEqualTo(1);
    assertThat(parked.messages()).isEqualTo(3);
    assertThat(parked.oldest()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
    assertThat(letter(line).blocksKey()).isTrue();
  }

  @Test
  void keysThatAreOnlyHeldAreNotParked(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message held = Samples.ordered("k");
    Message alone = Samples.message();
    tck.append(held);
    owner.hold(new Settlement.Retry(owner.readOne(held), Duration.ofHours(1), "later"));
    tck.append(alone);
    owner.hold(
        new Settlement.Dead(owner.readOne(alone), "no message waits behind one without a key"));

    assertThat(tck.ordered().blockedKeys().list(Optional.empty(), 10)).isEmpty();
    assertThat(tck.ordered().blockedKeys().summary()).isEqualTo(BlockedSummary.NONE);
    assertThat(tck.ordered().deadLetters().find(alone.id()).orElseThrow().blocksKey()).isFalse();
    assertThat(tck.ordered().blockedKeys().release(OrderKey.of(held), DECISION)).isFalse();
    assertThat(tck.ordered().blockedKeys().skip(List.of(held.id(), alone.id()), DECISION))
        .isEmpty();
  }

  @Test
  void parkedKeysAreListedInOrderAndOnceEach(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<OrderKey> keys = new ArrayList<>();
    for (String destination : List.of("a", "b")) {
      for (String key : List.of("1", "2", "3")) {
        Message message = Message.event("E").to(destination).key(key).json("{}").build();
        tck.append(message);
        owner.hold(new Settlement.Dead(owner.readOne(message), "dead"));
        keys.add(OrderKey.of(message));
      }
    }

    List<OrderKey> listed = new ArrayList<>();
    Optional<OrderKey> last = Optional.empty();
    for (List<BlockedKey> page = tck.ordered().blockedKeys().list(last, 4);
        !page.isEmpty();
        page = tck.ordered().blockedKeys().list(last, 4)) {
      page.forEach(parked -> listed.add(parked.key()));
      last = Optional.of(listed.get(listed.size() - 1));
    }

    assertThat(listed).containsExactlyElementsOf(keys);
    assertThat(tck.ordered().blockedKeys().summary().keys()).isEqualTo(6);
  }

  /** release; replay, MUST 3. */
  @Test
  void aReleasedKeyComesBackInOrderBeforeAnythingNewer(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);

    assertThat(line.store.blockedKeys().release(line.key, DECISION)).isTrue();

    assertThat(line.store.blockedKeys().list(Optional.empty(), 10)).isEmpty();
    assertThat(line.owner.blockedKeys()).as("newer ones still go behind").containsExactly(line.key);
    assertThat(line.due()).containsExactlyElementsOf(line.messages);
    assertThat(line.store.blockedKeys().release(line.key, DECISION)).as("again").isFalse();
    assertThat(line.store.deadLetters().audit(Optional.of(line.dead.id().toString()), 10))
        .extracting(AuditEntry::action)
        .containsExactly("release");
  }

  @Test
  void aKeyThatIsNotThereIsNotReleased(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);

    assertThat(line.store.blockedKeys().release(new OrderKey("orders", "key/other"), DECISION))
        .isFalse();

    assertThat(line.due()).isEmpty();
    assertThat(line.store.deadLetters().audit(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void replayingTheDeadLetterLetsItsKeyGoOn(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);

    line.store.deadLetters().replay(List.of(line.dead.id()), DECISION);

    assertThat(line.due()).containsExactlyElementsOf(line.messages);
  }

  @Test
  void whoeverIsReplacedKeepsItsPlaceInTheLine(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);
    Message edited = Samples.ordered("k");

    line.store.deadLetters().replace(line.dead.id(), edited, DECISION);

    assertThat(line.due()).containsExactly(edited, line.messages.get(1), line.messages.get(2));
  }

  @Test
  void discardingTheDeadLetterLetsItsKeyGoOnWithoutIt(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);

    line.store.deadLetters().discard(List.of(line.dead.id()), DECISION);

    assertThat(line.store.blockedKeys().summary()).isEqualTo(BlockedSummary.NONE);
    assertThat(line.due()).containsExactly(line.messages.get(1), line.messages.get(2));
  }

  @Test
  void aKeyOfWhichNothingIsLeftIsFree(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message only = Samples.ordered("k");
    tck.append(only);
    owner.hold(new Settlement.Dead(owner.readOne(only), "dead"));

    tck.ordered().deadLetters().discard(List.of(only.id()), DECISION);

    assertThat(owner.blockedKeys()).isEmpty();
    assertThat(owner.takeBlocked(10)).isEmpty();
    Message next = Samples.ordered("k");
    tck.append(next);
    assertThat(owner.readMessages(10)).containsExactly(next);
  }

  /** skip: the key goes on, and the dead letter stays one. */
  @Test
  void aSkippedOneStaysADeadLetterThatParksNobody(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);

    assertThat(line.store.blockedKeys().skip(List.of(line.dead.id(), UUID.randomUUID()), DECISION))
        .containsExactly(line.dead.id());

    assertThat(line.due()).containsExactly(line.messages.get(1), line.messages.get(2));
    assertThat(line.store.blockedKeys().summary()).isEqualTo(BlockedSummary.NONE);
    assertThat(letter(line).blocksKey()).isFalse();
    assertThat(tck.find(line.dead.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(line.store.blockedKeys().skip(List.of(line.dead.id()), DECISION))
        .as("again")
        .isEmpty();
    assertThat(line.store.deadLetters().audit(Optional.empty(), 10))
        .extracting(AuditEntry::action)
        .containsExactly("skip");
  }

  @Test
  void aSkippedOneCanBeReplayedLater(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);
    line.store.blockedKeys().skip(List.of(line.dead.id()), DECISION);
    List<Claim> others = line.owner.takeBlocked(100);
    line.owner.settleBlocked(others.stream().<Settlement>map(Settlement.Delivered::new).toList());
    assertThat(line.owner.blockedKeys()).doesNotContain(line.key);

    line.store.deadLetters().replay(List.of(line.dead.id()), DECISION);

    assertThat(line.owner.blockedKeys()).contains(line.key);
    List<Claim> again = line.owner.takeBlocked(100);
    assertThat(again).extracting(Claim::message).containsExactly(line.dead);
    assertThat(line.owner.settleBlocked(new Settlement.Delivered(again.get(0))))
        .containsExactly(line.key);
    assertThat(tck.find(line.dead.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void aSkippedOneCanBeDiscardedLater(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);
    line.store.blockedKeys().skip(List.of(line.dead.id()), DECISION);

    assertThat(line.store.deadLetters().discard(List.of(line.dead.id()), DECISION)).hasSize(1);

    assertThat(tck.store().find(line.dead.id())).isEmpty();
    assertThat(line.due()).containsExactly(line.messages.get(1), line.messages.get(2));
  }

  /** advance: a dead letter that blocks no key. */
  @Test
  void aDeathThatParksNobodyLetsTheKeyGoOn(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, false);

    assertThat(line.due()).containsExactly(line.messages.get(1), line.messages.get(2));
    assertThat(tck.find(line.dead.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(letter(line).blocksKey()).isFalse();
    assertThat(line.store.blockedKeys().summary()).isEqualTo(BlockedSummary.NONE);
  }

  @Test
  void aDeathThatParksNobodyHoldsNoKeyByItself(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message dead = Samples.ordered("k");
    tck.append(dead);

    owner.hold(new Settlement.Dead(owner.readOne(dead), "refused", false));

    assertThat(owner.blockedKeys()).doesNotContain(OrderKey.of(dead));
    assertThat(owner.takeBlocked(10)).isEmpty();
    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
  }

  /** settle: a dead letter that blocks no key. */
  @Test
  void aHeldOneThatDiesAndParksNobodyLetsTheNextOnesGoOn(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);
    line.store.blockedKeys().release(line.key, DECISION);
    Claim first = line.owner.takeBlocked(1).get(0);

    assertThat(line.owner.settleBlocked(new Settlement.Dead(first, "again", false))).isEmpty();

    assertThat(line.due()).containsExactly(line.messages.get(1), line.messages.get(2));
    assertThat(letter(line).error()).isEqualTo("again");
    assertThat(letter(line).blocksKey()).isFalse();
  }

  @Test
  void theLastHeldOneThatDiesAndParksNobodyFreesItsKey(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message only = Samples.ordered("k");
    tck.append(only);
    owner.hold(new Settlement.Retry(owner.readOne(only), Duration.ZERO, "once more"));
    Claim claim = owner.takeBlocked(10).get(0);

    assertThat(owner.settleBlocked(new Settlement.Dead(claim, "dead", false)))
        .containsExactly(OrderKey.of(only));

    assertThat(owner.blockedKeys()).doesNotContain(OrderKey.of(only));
    assertThat(tck.find(only.id()).status()).isEqualTo(MessageStatus.FAILED);
  }

  /** settleBlocked, MUST 1: said again, it would take away what was replayed in between. */
  @Test
  void anAttemptFromBeforeAReplaySettlesNothing(StoreUnderTest tck) throws Exception {
    for (Ending late : Ending.values()) {
      LaneOwner owner = LaneOwner.take(tck.ordered(1), 0, StoreUnderTest.OWNER);
      Message message = Samples.ordered("k " + late);
      tck.append(message);
      owner.hold(new Settlement.Retry(owner.readOne(message), Duration.ZERO, "once more"));
      Claim old = owner.takeBlocked(10).get(0);
      owner.settleBlocked(new Settlement.Dead(old, "dead"));
      tck.ordered().deadLetters().replay(List.of(message.id()), DECISION);

      owner.settleBlocked(late.of(old));

      assertThat(tck.find(message.id()).status()).as("%s", late).isEqualTo(MessageStatus.PENDING);
      List<Claim> again = owner.takeBlocked(10);
      assertThat(again).as("%s", late).extracting(Claim::message).containsExactly(message);
      assertThat(again.get(0).attempt()).isEqualTo(1);
      owner.settleBlocked(new Settlement.Delivered(again.get(0)));
      owner.release();
    }
  }

  /** decisions: the owner learns that something changed, at the price of one lookup. */
  @Test
  void everyDecisionIsCountedForTheLanesOwner(StoreUnderTest tck) throws Exception {
    Line line = new Line(tck, true);
    long before = line.store.blockedMessages().decisions(line.owner.lease());
    assertThat(line.store.blockedMessages().decisions(line.owner.lease())).isEqualTo(before);

    line.store.blockedKeys().skip(List.of(line.dead.id()), DECISION);
    long skipped = line.store.blockedMessages().decisions(line.owner.lease());
    line.store.deadLetters().replay(List.of(line.dead.id()), DECISION);
    long replayed = line.store.blockedMessages().decisions(line.owner.lease());

    assertThat(skipped).isGreaterThan(before);
    assertThat(replayed).isGreaterThan(skipped);
  }

  /**
   * The log keeps what was settled: a rescan must not bring back what a person has decided about.
   */
  @Test
  void aRescanBringsNothingBack(StoreUnderTest tck) throws Exception {
    tck.needs(Capability.RECOVERY);
    tck.ordered(1);
    UserTransaction open = tck.begin();
    open.append(Samples.ordered("its place is below all others, so a rescan begins there"));
    Line line = new Line(tck, true);
    Message other = Samples.ordered("other");
    Message edited = Samples.ordered("other");
    tck.append(other);
    line.owner.hold(new Settlement.Dead(line.owner.readOne(other), "wrong"));
    line.store.deadLetters().discard(List.of(line.dead.id()), DECISION);
    line.store.deadLetters().replace(other.id(), edited, DECISION);

    tck.changeCluster();
    LaneOwner next = LaneOwner.takeOver(tck, "node-2");

    List<Message> again = next.readMessages(100);
    assertThat(again).as("a rescan").contains(line.messages.get(1));
    assertThat(again).doesNotContain(line.dead, other);
    open.rollback();
  }

  private static DeadLetter letter(Line line) {
    return line.store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10).get(0);
  }

  private static Settlement waits(Claim claim) {
    return new Settlement.Release(claim, Duration.ZERO, "waits for the one before it");
  }
}
