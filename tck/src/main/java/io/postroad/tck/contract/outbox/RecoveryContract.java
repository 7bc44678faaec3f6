package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.lane.LaneOwner;
import io.postroad.tck.contract.lane.LaneScene;
import io.postroad.tck.contract.lane.LaneVerb;
import io.postroad.tck.contract.scene.RecordingSender;
import io.postroad.tck.contract.scene.Relays;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that crashed, and one whose data was moved elsewhere: repeat, never lose. */
@StoreContract
@OrderedOnly
public final class RecoveryContract {

  /** OrderedStore: whenever the database may have forgotten something that was read. */
  @ParameterizedTest
  @EnumSource
  void afterACrashNoLeaseHolds(LaneVerb verb, StoreUnderTest tck) throws Exception {
    LaneScene scene = new LaneScene(tck);
    tck.forgetMemory();

    assertThatThrownBy(() -> verb.run(scene)).isInstanceOf(LaneLostException.class);

    LaneOwner next = LaneOwner.of(tck);
    assertThat(next.lease().epoch()).isGreaterThan(scene.owner.lease().epoch());
    assertThat(next.blockedKeys()).containsExactly(OrderKey.of(scene.held));
    assertThat(next.readMessages(10)).contains(scene.unsettled, scene.unread);
    assertThat(next.admitDue(10)).isEqualTo(1);
    assertThat(next.readMessages(10)).containsExactly(scene.scheduled);
    assertThat(next.deliverBlocked()).containsExactly(scene.held, scene.follower);
  }

  /** advance: a crash may forget the latest, which repeats deliveries. */
  @Test
  void afterACrashTheLaneIsReadOnWithoutLoss(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> unsettled = new ArrayList<>();
    tck.append(Samples.ordered("k", 5));
    owner.readAll(10);
    owner.settle();
    unsettled.addAll(Samples.ordered("k", 5));
    tck.append(unsettled);
    owner.readAll(10);
    tck.forgetMemory();
    List<Message> later = Samples.ordered("k", 5);
    tck.append(later);
    unsettled.addAll(later);

    List<Message> read = LaneOwner.of(tck).readMessages(3);

    assertThat(read).endsWith(unsettled.toArray(Message[]::new)).doesNotHaveDuplicates();
  }

  /** The lease of the running owner is not over, and no clock moves. */
  @Test
  void afterACrashTheRunningOwnerGoesOnAtOnce(StoreUnderTest tck) throws Exception {
    RecordingSender sender = RecordingSender.accepting();
    Relays.relay(tck, tck.store(), sender, Relays.options()).start();
    Message before = Samples.ordered("k");
    Relays.append(tck.store(), before);
    sender.awaitSent(1);

    tck.forgetMemory();
    Message after = Samples.ordered("k");
    Relays.append(tck.store(), after);

    Relays.eventually(
        () -> assertThat(tck.find(after.id()).status()).isEqualTo(MessageStatus.DISPATCHED));
  }

  @Test
  void afterACrashStragglersAreReadWithoutLoss(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message late = Samples.ordered("late");
    UserTransaction open = tck.begin();
    open.append(late);
    tck.append(Samples.ordered("k", 5));
    owner.readAll(10);
    owner.settle();
    open.commit();
    tck.forgetMemory();

    assertThat(LaneOwner.of(tck).readMessages(3)).contains(late).doesNotHaveDuplicates();
  }

  /** A second crash, before anything was settled, changes nothing. */
  @Test
  void crashesInARowLoseNothing(StoreUnderTest tck) throws Exception {
    List<Message> messages = Samples.ordered("k", 5);
    LaneOwner.of(tck);
    tck.append(messages);
    tck.forgetMemory();
    LaneOwner.of(tck).readAll(10);
    tck.forgetMemory();

    LaneOwner owner = LaneOwner.of(tck);
    assertThat(owner.readMessages(2)).containsExactlyElementsOf(messages);
    owner.settle();
    owner.release();
    assertThat(LaneOwner.of(tck).readMessages(2)).isEmpty();
  }

  /** advance, MUST 1: a message is behind the position only if it is held, also after a crash. */
  @Test
  void whatWasHeldBackIsHeldOrReadAgainAfterACrash(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message failed = Samples.ordered("k");
    tck.append(failed);
    owner.hold(new Settlement.Retry(owner.readOne(failed), Duration.ofMinutes(1), "failed"));
    tck.forgetMemory();
    tck.advance(Duration.ofMinutes(2));

    LaneOwner next = LaneOwner.takeOver(tck, "node-2");
    List<Message> found = new ArrayList<>(next.readMessages(10));
    next.takeBlocked(10).forEach(claim -> found.add(claim.message()));

    assertThat(found).contains(failed);
  }

  /** take, MUST 3. */
  @Test
  void inAnotherClusterTheLaneGoesBackAndSaysSo(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message late = Samples.ordered("late");
    UserTransaction open = tck.begin();
    open.append(late);
    tck.append(Samples.ordered("k", 5));
    owner.settle(owner.read(10).entries().get(4).position());
    open.commit();
    List<Message> unread = Samples.ordered("k", 5);
    tck.append(unread);
    owner.release();

    tck.changeCluster();

    LaneOwner next = LaneOwner.take(tck.ordered(), 0, "node-2");
    assertThat(next.lease().rescan()).isPresent();
    List<Message> read = next.readMessages(3);
    assertThat(read)
        .contains(late)
        .endsWith(unread.toArray(Message[]::new))
        .doesNotHaveDuplicates();
    next.settle();
    next.release();
    LaneOwner after = LaneOwner.take(tck.ordered(), 0, "node-3");
    assertThat(after.lease().rescan()).as("said once").isEmpty();
    assertThat(after.readMessages(3)).as("settled in the new cluster").isEmpty();
  }

  /** take, MUST 3: in the middle of stragglers, too. */
  @Test
  void inAnotherClusterNoStragglerIsLost(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> late = Samples.ordered("late", 5);
    UserTransaction open = tck.begin();
    open.append(late.toArray(Message[]::new));
    tck.append(Samples.ordered("k"));
    owner.readAll(10);
    open.commit();
    owner.settle(owner.read(2).end());

    tck.changeCluster();

    assertThat(LaneOwner.takeOver(tck, "node-2").readMessages(2))
        .contains(late.get(2), late.get(3), late.get(4))
        .doesNotHaveDuplicates();
  }

  /** take, MUST 3: what was held back is still there. */
  @Test
  void inAnotherClusterHeldMessagesAreStillHeld(StoreUnderTest tck) throws Exception {
    LaneScene scene = new LaneScene(tck);

    tck.changeCluster();

    LaneOwner next = LaneOwner.takeOver(tck, "node-2");
    assertThat(next.lease().rescan()).isPresent();
    assertThat(next.blockedKeys()).containsExactly(OrderKey.of(scene.held));
    assertThat(next.deliverBlocked()).containsExactly(scene.held, scene.follower);
    assertThat(next.readMessages(10)).contains(scene.unsettled, scene.unread);
  }

  /** A message that is read again while it is held stays as it was held. */
  @Test
  void holdingAMessageBackTwiceKeepsIt(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    UserTransaction open = tck.begin();
    open.append(Samples.ordered("open"));
    Message failed = Samples.ordered("k");
    tck.append(failed);
    Claim claim = owner.readOne(failed);
    owner.hold(new Settlement.Retry(claim, Duration.ZERO, "failed"));
    Claim second = owner.takeBlocked(1).get(0);
    owner.settleBlocked(new Settlement.Retry(second, Duration.ZERO, "failed again"));

    owner.hold(new Settlement.Release(claim, Duration.ZERO, "read again"));

    assertThat(tck.find(failed.id()).attempts()).isEqualTo(2);
    assertThat(owner.takeBlocked(10)).extracting(Claim::attempt).containsExactly(3);
    open.commit();
  }
}
