package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.spi.Membership;
import io.postroad.spi.OrderedStore;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code heartbeat} returns the nodes and the owner of each lane. */
@StoreContract
@OrderedOnly
public final class MembershipContract {
  private static final Duration SEEN = Duration.ofMinutes(10);

  @Test
  void whoAttendsIsOnTheBoardForEveryNode(StoreUnderTest tck) throws Exception {
    assertThat(tck.ordered(2).lanes().heartbeat("a", SEEN).nodes()).containsExactly("a");

    Membership board = StoreUnderTest.ordered(tck.anotherNode()).lanes().heartbeat("b", SEEN);

    assertThat(board.nodes()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aNodeIsForgottenWhenItsTimeIsOver(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(2);
    store.lanes().heartbeat("a", SEEN);
    tck.advance(SEEN.minusMinutes(1));
    assertThat(store.lanes().heartbeat("b", SEEN).nodes()).containsExactlyInAnyOrder("a", "b");

    tck.advance(Duration.ofMinutes(2));

    assertThat(store.lanes().heartbeat("b", SEEN).nodes()).containsExactly("b");
  }

  @Test
  void attendingAgainProlongsTheTime(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(2);
    store.lanes().heartbeat("a", SEEN);
    tck.advance(SEEN.minusMinutes(1));
    store.lanes().heartbeat("a", SEEN);
    tck.advance(SEEN.minusMinutes(1));

    assertThat(store.lanes().heartbeat("b", SEEN).nodes()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aNodeThatLeavesIsForgottenAtOnce(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(2);
    store.lanes().heartbeat("a", SEEN);
    store.lanes().leave("a");
    store.lanes().leave("never-heard-of");

    assertThat(store.lanes().heartbeat("b", SEEN).nodes()).containsExactly("b");
  }

  @Test
  void everyLaneHasItsSeatInOrder(StoreUnderTest tck) throws Exception {
    List<Membership.LaneOwner> seats = tck.ordered(3).lanes().heartbeat("a", SEEN).lanes();

    assertThat(seats).containsExactly(free(0), free(1), free(2));
  }

  @Test
  void aSeatNamesItsOwnerWhileTheLeaseHolds(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(3);
    LaneOwner.take(store, 1, "a");
    LaneOwner released = LaneOwner.take(store, 2, "b");

    assertThat(store.lanes().heartbeat("a", SEEN).lanes())
        .containsExactly(free(0), owned(1, "a"), owned(2, "b"));
    released.release();
    assertThat(store.lanes().heartbeat("a", SEEN).lanes())
        .containsExactly(free(0), owned(1, "a"), free(2));
    tck.advance(StoreUnderTest.LEASE.plusSeconds(1));
    assertThat(store.lanes().heartbeat("a", SEEN).lanes())
        .containsExactly(free(0), free(1), free(2));
  }

  @Test
  void sharesAreCountedForEveryNodeThatIsThere(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(3);
    store.lanes().heartbeat("idle", SEEN);
    LaneOwner.take(store, 0, "busy");
    LaneOwner.take(store, 2, "busy");

    assertThat(store.lanes().heartbeat("busy", SEEN).shares())
        .isEqualTo(Map.of("idle", 0L, "busy", 2L));
  }

  private static Membership.LaneOwner free(int lane) {
    return new Membership.LaneOwner(lane, Optional.empty());
  }

  private static Membership.LaneOwner owned(int lane, String node) {
    return new Membership.LaneOwner(lane, Optional.of(node));
  }
}
