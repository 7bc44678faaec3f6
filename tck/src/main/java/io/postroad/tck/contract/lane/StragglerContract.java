package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * read, MUST 1 and 2, when transactions commit late: their messages were appended before others
 * that have been read already. They come exactly once, before everything that is read forward.
 */
@StoreContract
@OrderedOnly
public final class StragglerContract {

  @Test
  void aLateCommitIsReadOnce(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message late = Samples.ordered("late");
    Message early = Samples.ordered("early");
    UserTransaction open = tck.begin();
    open.append(late);
    tck.append(early);
    assertThat(owner.readMessages(10)).containsExactly(early);

    open.commit();

    assertThat(owner.readMessages(10)).containsExactly(late);
    assertThat(owner.readMessages(10)).isEmpty();
  }

  /**
   * The one that is open began after the one that was read: it is newer than the newest finished
   * transaction, so a list of those that were open "in between" does not have it.
   */
  @Test
  void aLateCommitOfATransactionThatBeganLaterIsReadOnce(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message first = Samples.ordered("early");
    Message second = Samples.ordered("early");
    Message late = Samples.ordered("late");
    UserTransaction older = tck.begin();
    UserTransaction newer = tck.begin();
    older.append(first);
    newer.append(late);
    older.append(second);
    older.commit();
    assertThat(owner.readMessages(10)).containsExactly(first, second);

    newer.commit();

    assertThat(owner.readMessages(10)).containsExactly(late);
    assertThat(owner.readMessages(10)).isEmpty();
  }

  @Test
  void severalLateCommitsAreReadInTheOrderOfTheirPlaces(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> late = Samples.ordered("late", 4);
    List<UserTransaction> open = new ArrayList<>();
    for (Message message : late) {
      UserTransaction transaction = tck.begin();
      transaction.append(message);
      open.add(transaction);
    }
    tck.append(Samples.ordered("early"));
    owner.readAll(10);

    for (int i : List.of(2, 0, 3, 1)) {
      open.get(i).commit();
    }

    assertThat(owner.readMessages(10)).containsExactlyElementsOf(late);
  }

  /** Also in steps of one: whatever was appended after the late commit must not overtake it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10})
  void aLateCommitIsReadBeforeWhatWasAppendedAfterIt(int limit, StoreUnderTest tck)
      throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> late = Samples.ordered("k", 3);
    UserTransaction open = tck.begin();
    open.append(late.toArray(Message[]::new));
    tck.append(Samples.ordered("other"));
    owner.readAll(10);

    open.commit();
    List<Message> next = Samples.ordered("k", 3);
    tck.append(next);

    List<Message> expected = new ArrayList<>(late);
    expected.addAll(next);
    assertThat(owner.readMessages(limit)).containsExactlyElementsOf(expected);
  }

  /** One message of the transaction lies behind what was read, the next one before it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void aTransactionThatSpansWhatWasReadStaysInOrder(int limit, StoreUnderTest tck)
      throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message first = Samples.ordered("k");
    Message second = Samples.ordered("k");
    UserTransaction open = tck.begin();
    open.append(first);
    tck.append(Samples.ordered("other"));
    owner.readAll(10);
    open.append(second);
    open.commit();

    assertThat(owner.readMessages(limit)).containsExactly(first, second);
  }

  @Test
  void aLateRollbackIsNeverRead(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    UserTransaction dropped = tck.begin();
    UserTransaction kept = tck.begin();
    Message late = Samples.ordered("k");
    dropped.append(Samples.ordered("k"));
    kept.append(late);
    tck.append(Samples.ordered("other"));
    owner.readAll(10);

    dropped.rollback();
    kept.commit();

    assertThat(owner.readMessages(10)).containsExactly(late);
  }

  /** More of them than one read gives: they come in steps, and each once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 11, 12, 13})
  void manyLateMessagesAreReadInSteps(int limit, StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> late = lateMessages(tck, owner, 12);
    Message next = Samples.ordered("k");
    tck.append(next);

    List<Message> expected = new ArrayList<>(late);
    expected.add(next);
    assertThat(owner.readMessages(limit)).containsExactlyElementsOf(expected);
    assertThat(owner.readMessages(limit)).isEmpty();
  }

  /** A message committed while the late ones are read in steps is not forgotten and comes once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whoCommitsBetweenTheStepsIsReadOnceToo(int limit, StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message lowest = Samples.ordered("lowest");
    UserTransaction latest = tck.begin();
    latest.append(lowest);
    UserTransaction middle = tck.begin();
    List<Message> read = new ArrayList<>();
    List<Message> late = lateMessages(tck, owner, 7);
    Message behind = Samples.ordered("behind");
    middle.append(behind);
    Message forward = Samples.ordered("k");
    tck.append(forward);

    read.addAll(LaneOwner.messages(owner.read(limit).entries()));
    latest.commit();
    read.addAll(LaneOwner.messages(owner.read(limit).entries()));
    middle.commit();
    read.addAll(owner.readMessages(limit));

    List<Message> expected = new ArrayList<>(late);
    expected.addAll(List.of(lowest, behind, forward));
    assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
    expected.removeAll(List.of(lowest, behind));
    assertThat(read).containsSubsequence(expected);
    assertThat(owner.readMessages(limit)).isEmpty();
  }

  /**
   * read, MUST 3: a node takes over at each place of what another has read, late ones and others,
   * and gets exactly the rest.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void everyPlaceIsOneToReadOnFrom(int limit, StoreUnderTest tck) throws Exception {
    LaneOwner first = LaneOwner.of(tck);
    lateMessages(tck, first, 7);
    first.settle();
    tck.append(Samples.ordered("k", 5));
    List<LaneEntry> all = first.readAll(limit);
    assertThat(all).hasSizeGreaterThanOrEqualTo(12);
    first.release();

    for (int settled = 0; settled < all.size(); settled++) {
      LaneOwner next = LaneOwner.take(tck.ordered(), 0, "node-" + settled);
      assertThat(next.readMessages(2))
          .as("after %d of %d were settled", settled, all.size())
          .containsExactlyElementsOf(LaneOwner.messages(all.subList(settled, all.size())));
      next.settle(all.get(settled).position());
      next.release();
    }
    assertThat(LaneOwner.of(tck).readMessages(2)).isEmpty();
  }

  /** read, MUST 3: the same for the position of each batch. */
  @Test
  void everyBatchEndsWhereTheNextOwnerReadsOn(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> left = new ArrayList<>(lateMessages(tck, owner, 6));
    owner.settle();
    left.addAll(Samples.ordered("k", 4));
    tck.append(left.subList(6, 10));
    owner.release();

    for (int node = 0; !left.isEmpty(); node++) {
      LaneOwner next = LaneOwner.take(tck.ordered(), 0, "node-" + node);
      LaneBatch batch = next.read(3);
      next.settle(batch.end());
      next.release();
      int size = batch.entries().size();
      assertThat(LaneOwner.messages(batch.entries()))
          .containsExactlyElementsOf(left.subList(0, size));
      left.subList(0, size).clear();
      assertThat(node).as("owners so far").isLessThan(20);
    }
  }

  /** Commits so many messages after one that was appended later has been read. */
  private static List<Message> lateMessages(StoreUnderTest tck, LaneOwner owner, int count)
      throws Exception {
    List<Message> late = new ArrayList<>();
    List<UserTransaction> open = List.of(tck.begin(), tck.begin(), tck.begin());
    for (int i = 0; i < count; i++) {
      Message message = Samples.ordered("late");
      open.get(i % open.size()).append(message);
      late.add(message);
    }
    Message early = Samples.ordered("early");
    tck.append(early);
    assertThat(owner.readMessages(100)).contains(early);
    for (UserTransaction transaction : open) {
      transaction.commit();
    }
    return late;
  }
}
