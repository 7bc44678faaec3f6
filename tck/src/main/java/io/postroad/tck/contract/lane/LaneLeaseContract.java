package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.LaneLease;
import io.postroad.spi.OrderedStore;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A node takes a lane, keeps it for its lease, and releases it. */
@StoreContract
@OrderedOnly
public final class LaneLeaseContract {
  private static final Duration LEASE = StoreUnderTest.LEASE;

  @Test
  void aLaneThatWasNeverTakenIsFree(StoreUnderTest tck) throws Exception {
    LaneLease lease = tck.ordered(2).lanes().take(1, "node-1", LEASE).orElseThrow();

    assertThat(lease.lane()).isEqualTo(1);
    assertThat(lease.node()).isEqualTo("node-1");
    assertThat(lease.crashes()).isZero();
    assertThat(lease.crashedNode()).isEmpty();
    assertThat(lease.rescan()).isEmpty();
  }

  @Test
  void aLaneThatAnotherOwnsIsNotGiven(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    OrderedStore<Object> another = StoreUnderTest.ordered(tck.anotherNode());

    assertThat(another.lanes().take(0, "node-2", LEASE)).isEmpty();
    tck.advance(LEASE.minusSeconds(10));
    assertThat(another.lanes().take(0, "node-2", LEASE)).isEmpty();
    owner.settle();
  }

  @Test
  void anExpiredLeaseIsTakenOverAndItsOwnerNamed(StoreUnderTest tck) throws Exception {
    LaneOwner.of(tck);

    LaneLease lease = LaneOwner.takeOver(tck, "node-2").lease();

    assertThat(lease.node()).isEqualTo("node-2");
    assertThat(lease.crashedNode()).contains(StoreUnderTest.OWNER);
    assertThat(tck.ordered().lanes().take(0, StoreUnderTest.OWNER, LEASE)).isEmpty();
  }

  @Test
  void aReleasedLaneIsFreeAtOnce(StoreUnderTest tck) throws Exception {
    LaneOwner.of(tck).release();

    LaneLease lease = LaneOwner.take(tck.ordered(), 0, "node-2").lease();

    assertThat(lease.crashedNode()).isEmpty();
    assertThat(lease.crashes()).isZero();
  }

  @Test
  void aNodeMayTakeItsOwnLaneAnew(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = Samples.message();
    tck.append(message);

    LaneOwner again = LaneOwner.of(tck);

    assertThat(again.lease().epoch()).isGreaterThan(owner.lease().epoch());
    assertThat(again.lease().crashedNode()).isEmpty();
    assertThat(again.lease().crashes()).isZero();
    assertThat(again.readMessages(10)).containsExactly(message);
  }

  /** take, MUST 1. */
  @Test
  void everyTakeRaisesTheEpoch(StoreUnderTest tck) throws Exception {
    List<Long> epochs = new ArrayList<>();
    LaneOwner released = LaneOwner.of(tck);
    epochs.add(released.lease().epoch());
    released.release();
    epochs.add(LaneOwner.of(tck).lease().epoch());
    epochs.add(LaneOwner.of(tck).lease().epoch());
    epochs.add(LaneOwner.takeOver(tck, "node-2").lease().epoch());
    epochs.add(LaneOwner.takeOver(tck, StoreUnderTest.OWNER).lease().epoch());

    assertThat(epochs).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aRenewedLeaseHoldsFromNowOn(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    tck.advance(Duration.ofSeconds(30));

    tck.ordered().lanes().renew(owner.lease(), Duration.ofMinutes(10));

    tck.advance(Duration.ofMinutes(9));
    assertThat(tck.ordered().lanes().take(0, "node-2", LEASE)).isEmpty();
    tck.advance(Duration.ofMinutes(2));
    assertThat(tck.ordered().lanes().take(0, "node-2", LEASE)).isPresent();
  }

  /** OrderedStore: an expired lease still holds until another node takes the lane. */
  @Test
  void anExpiredLeaseThatNobodyTookStillHolds(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = Samples.message();
    tck.append(message);
    tck.advance(LEASE.multipliedBy(2));

    assertThat(owner.readMessages(10)).containsExactly(message);
    owner.settle();
    tck.ordered().lanes().renew(owner.lease(), LEASE);

    assertThat(tck.ordered().lanes().take(0, "node-2", LEASE)).isEmpty();
    assertThat(tck.store().backlog().pending()).isZero();
  }

  /** take, MUST 2. */
  @Test
  void ownersThatExpireWithoutProgressAreCounted(StoreUnderTest tck) throws Exception {
    assertThat(LaneOwner.of(tck).lease().crashes()).as("the first owner").isZero();
    assertThat(LaneOwner.takeOver(tck, "a").lease().crashes()).isEqualTo(1);
    assertThat(LaneOwner.takeOver(tck, "b").lease().crashes()).isEqualTo(2);
    assertThat(LaneOwner.takeOver(tck, "c").lease().crashes()).isEqualTo(3);
  }

  /** take, MUST 2: renewing, reading and waiting are no progress. */
  @Test
  void onlyAnAdvanceIsProgress(StoreUnderTest tck) throws Exception {
    LaneOwner.of(tck);
    LaneOwner busy = LaneOwner.takeOver(tck, "a");
    tck.append(Samples.message());
    busy.readAll(10);
    busy.blockedKeys();
    tck.ordered().lanes().renew(busy.lease(), LEASE);
    assertThat(LaneOwner.takeOver(tck, "b").lease().crashes()).isEqualTo(2);

    LaneOwner working = LaneOwner.takeOver(tck, "c");
    assertThat(working.lease().crashes()).isEqualTo(3);
    working.readAll(10);
    working.settle();

    LaneLease next = LaneOwner.takeOver(tck, "d").lease();
    assertThat(next.crashes()).isEqualTo(1);
    assertThat(next.crashedNode()).contains("c");
    assertThat(LaneOwner.takeOver(tck, "e").lease().crashes()).isEqualTo(2);
  }

  /** take, MUST 2. */
  @Test
  void aReleaseAndTakingItAnewStartTheCountAgain(StoreUnderTest tck) throws Exception {
    LaneOwner.of(tck);
    LaneOwner.takeOver(tck, "a").release();
    assertThat(LaneOwner.take(tck.ordered(), 0, "b").lease().crashes()).isZero();
    assertThat(LaneOwner.takeOver(tck, "c").lease().crashes()).isEqualTo(1);

    assertThat(LaneOwner.take(tck.ordered(), 0, "c").lease().crashes()).isZero();
    assertThat(LaneOwner.takeOver(tck, "d").lease().crashes()).isEqualTo(1);
  }

  /** release: does nothing if it was lost. */
  @Test
  void aLoserReleasesNothing(StoreUnderTest tck) throws Exception {
    LaneOwner lost = LaneOwner.of(tck);
    LaneOwner owner = LaneOwner.takeOver(tck, "node-2");

    lost.release();

    assertThat(tck.ordered().lanes().take(0, "node-3", LEASE)).isEmpty();
    owner.settle();
  }

  @Test
  void aLaneMayBeReleasedTwice(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    owner.release();
    owner.release();

    assertThat(LaneOwner.take(tck.ordered(), 0, "node-2").lease().crashes()).isZero();
  }

  @Test
  void ofManyThatTakeALaneAtOnceOneGetsIt(StoreUnderTest tck) throws Exception {
    List<OrderedStore<Object>> nodes =
        List.of(tck.ordered(8), StoreUnderTest.ordered(tck.anotherNode()));
    for (int lane = 0; lane < 8; lane++) {
      int number = lane;
      CyclicBarrier together = new CyclicBarrier(6);

      List<Optional<LaneLease>> leases =
          tck.together(
              6,
              () -> {
                int position = together.await(60, TimeUnit.SECONDS);
                return nodes.get(position % 2).lanes().take(number, "node-" + position, LEASE);
              });

      assertThat(leases).filteredOn(Optional::isPresent).hasSize(1);
    }
  }
}
