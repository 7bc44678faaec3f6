package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.spi.LaneLostException;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * OrderedStore: every verb that is given a lease MUST throw LaneLostException and change nothing
 * when its epoch is no longer the lane's.
 */
@StoreContract
@OrderedOnly
public final class LaneFencingContract {

  /** Else the tests below would show nothing. */
  @ParameterizedTest
  @EnumSource
  void anOwnerMayDoItAll(LaneVerb verb, StoreUnderTest tck) throws Exception {
    verb.run(new LaneScene(tck));
  }

  @ParameterizedTest
  @EnumSource
  void anOwnerWhoseLeaseExpiredAndWasTakenMayDoNothing(LaneVerb verb, StoreUnderTest tck)
      throws Exception {
    LaneScene scene = new LaneScene(tck);
    LaneOwner next = LaneOwner.takeOver(tck, "node-2");

    assertLost(verb, scene, next);
  }

  @ParameterizedTest
  @EnumSource
  void anOwnerThatReleasedALaneThatWasTakenMayDoNothing(LaneVerb verb, StoreUnderTest tck)
      throws Exception {
    LaneScene scene = new LaneScene(tck);
    scene.owner.release();
    LaneOwner next = LaneOwner.take(scene.store(), 0, "node-2");

    assertLost(verb, scene, next);
  }

  /** A process that hangs, and another under the same name that took its place. */
  @ParameterizedTest
  @EnumSource
  void theOlderLeaseOfTheSameNodeMayDoNothing(LaneVerb verb, StoreUnderTest tck) throws Exception {
    LaneScene scene = new LaneScene(tck);
    LaneOwner next = LaneOwner.of(tck);

    assertLost(verb, scene, next);
  }

  @Test
  void aReleaseByALoserChangesNothing(StoreUnderTest tck) throws Exception {
    LaneScene scene = new LaneScene(tck);
    LaneOwner next = LaneOwner.takeOver(tck, "node-2");
    LaneScene.Observed before = scene.observe(next);

    scene.owner.release();

    assertThat(scene.observe(next)).isEqualTo(before);
    next.settle();
  }

  /** The work of the loser before it lost the lane stands. */
  @Test
  void whatWasDoneBeforeStands(StoreUnderTest tck) throws Exception {
    LaneScene scene = new LaneScene(tck);
    scene.owner.settle(scene.readBatch.end());
    scene.owner.admitDue(10);

    LaneOwner next = LaneOwner.takeOver(tck, "node-2");

    assertThat(next.readMessages(10)).containsExactly(scene.unread, scene.scheduled);
    assertThat(next.blockedKeys()).hasSize(1);
  }

  private static void assertLost(LaneVerb verb, LaneScene scene, LaneOwner next) throws Exception {
    LaneScene.Observed before = scene.observe(next);

    assertThatThrownBy(() -> verb.run(scene))
        .isInstanceOf(LaneLostException.class)
        .hasMessageContaining(scene.owner.lease().node());

    assertThat(scene.observe(next)).isEqualTo(before);
    next.settle();
  }
}
