package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code purge} removes what was delivered and appended long enough ago, and nothing else. An
 * ordered store may keep it longer than asked, because whole tables go at once.
 */
@StoreContract
@OrderedOnly
public final class LaneRetentionContract {
  private static final Duration RETENTION = Duration.ofDays(7);

  @Test
  void whatWasDeliveredIsGoneSomeTimeAfterItsRetention(StoreUnderTest tck) throws Exception {
    Message message = Samples.ordered("k");
    tck.ordered(1);
    tck.deliver(message);

    purgeFor(tck, RETENTION.multipliedBy(3));

    assertThat(tck.store().find(message.id())).isEmpty();
  }

  /** purge: older than {@code olderThan}, counted from the append. */
  @Test
  void whatWasDeliveredIsKeptForItsRetention(StoreUnderTest tck) throws Exception {
    Message message = Samples.ordered("k");
    tck.ordered(1);
    tck.deliver(message);

    purgeFor(tck, RETENTION.minusDays(1));

    assertThat(tck.find(message.id()).status()).isEqualTo(MessageStatus.DISPATCHED);
    assertThat(tck.find(message.id()).message()).isEqualTo(message);
  }

  /** purge: MUST NOT remove a message that was not delivered. */
  @Test
  void whatWasNotReadIsNeverRemoved(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message delivered = Samples.ordered("k");
    Message unsettled = Samples.ordered("k");
    Message unread = Samples.ordered("k");
    tck.append(delivered, unsettled);
    owner.settle(owner.readAll(10).get(0).position());
    tck.append(unread);

    purgeFor(tck, RETENTION.multipliedBy(3));

    assertThat(LaneOwner.takeOver(tck, "node-2").readMessages(10))
        .containsExactly(unsettled, unread);
  }

  /** purge: MUST NOT remove a message that was not delivered, however late it was committed. */
  @Test
  void aLateCommitIsNeverRemovedBeforeItIsRead(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message late = Samples.ordered("late");
    Message early = Samples.ordered("early");
    UserTransaction open = tck.begin();
    open.append(late);
    tck.append(early);
    owner.readOne(early);
    owner.settle();
    open.commit();

    purgeFor(tck, RETENTION.multipliedBy(3));

    assertThat(owner.readMessages(10)).containsExactly(late);
  }

  /** purge: the same for one that commits when the purge has been. */
  @Test
  void whatCommitsAfterAPurgeIsRead(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message late = Samples.ordered("late");
    Message early = Samples.ordered("early");
    UserTransaction open = tck.begin();
    open.append(late);
    tck.append(early);
    owner.readOne(early);
    owner.settle();

    purgeFor(tck, RETENTION.multipliedBy(3));
    open.commit();

    assertThat(owner.readMessages(10)).containsExactly(late);
  }

  /**
   * purge: MUST NOT remove a message that was not delivered: held ones wait as long as it takes.
   */
  @Test
  void whatIsHeldBackIsNeverRemoved(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message dead = Samples.ordered("dead");
    Message follower = Samples.ordered("dead");
    Message retried = Samples.ordered("retried");
    tck.append(dead, follower, retried);
    List<LaneEntry> entries = owner.readAll(10);
    owner.hold(
        new Settlement.Dead(entries.get(0).claim(), "dead"),
        new Settlement.Release(entries.get(1).claim(), Duration.ZERO, "waits"),
        new Settlement.Retry(entries.get(2).claim(), Duration.ofDays(1), "later"));

    purgeFor(tck, RETENTION.multipliedBy(3));

    assertThat(tck.find(dead.id()).status()).isEqualTo(MessageStatus.FAILED);
    assertThat(tck.find(follower.id()).status()).isEqualTo(MessageStatus.PENDING);
    assertThat(tck.find(retried.id()).message()).isEqualTo(retried);
    assertThat(owner.takeBlocked(10)).extracting(claim -> claim.message()).containsExactly(retried);
  }

  /** purge: MUST NOT remove a message that was not delivered. */
  @Test
  void whatIsScheduledIsNeverRemoved(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message waiting = Samples.notBefore(tck.store().now().plus(RETENTION.multipliedBy(9)));
    Message due = Samples.notBefore(tck.store().now().plus(Duration.ofHours(1)));
    tck.append(waiting, due);

    purgeFor(tck, RETENTION.multipliedBy(3));

    assertThat(tck.find(waiting.id()).message()).isEqualTo(waiting);
    assertThat(owner.admitDue(10)).isEqualTo(1);
    tck.store().purge(RETENTION, 1_000);
    assertThat(owner.readMessages(10)).containsExactly(due);
  }

  @Test
  void deduplicationKeysAreNotCountedAsMessages(StoreUnderTest tck) throws Exception {
    tck.ordered(1);
    tck.append(Samples.withKey("a"), Samples.withKey("b"));
    tck.advance(StoreUnderTest.DEDUPLICATE_FOR.plusSeconds(1));

    assertThat(tck.store().purge(RETENTION, 100).messages()).isZero();
  }

  /** Time passes and a purge comes every half day, as a relay does it. */
  private static void purgeFor(StoreUnderTest tck, Duration time) throws Exception {
    Duration step = Duration.ofHours(12);
    for (long i = 0; i < time.dividedBy(step); i++) {
      tck.advance(step);
      tck.store().purge(RETENTION, 1_000);
    }
  }
}
