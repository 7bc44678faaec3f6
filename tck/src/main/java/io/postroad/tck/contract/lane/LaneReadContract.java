package io.postroad.tck.contract.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.OrderedStore;
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
 * {@code read} gives what was committed, in the order promised, as long as no transaction is late.
 */
@StoreContract
@OrderedOnly
public final class LaneReadContract {

  /** read, MUST 2: messages of one transaction in the order in which they were appended. */
  @Test
  void oneTransactionIsReadInAppendOrder(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = new ArrayList<>();
    UserTransaction transaction = tck.begin();
    for (int i = 0; i < 20; i++) {
      Message keyed = Samples.ordered("k" + i % 3);
      Message keyless = Samples.message();
      transaction.append(keyed, keyless);
      messages.addAll(List.of(keyed, keyless));
    }
    transaction.commit();

    assertThat(owner.readMessages(100)).containsExactlyElementsOf(messages);
  }

  /** read, MUST 2: committed before the other was appended. */
  @Test
  void whatWasCommittedBeforeIsReadBefore(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 20);
    for (Message message : messages) {
      tck.append(message);
    }

    assertThat(owner.readMessages(100)).containsExactlyElementsOf(messages);
  }

  /** read, MUST 2: from whichever node it was appended. */
  @Test
  void theOrderHoldsAcrossNodes(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 10);
    var nodes = List.of(tck.store(), tck.anotherNode());
    for (int i = 0; i < messages.size(); i++) {
      UserTransaction transaction = tck.begin(nodes.get(i % 2));
      transaction.append(messages.get(i));
      transaction.commit();
    }

    assertThat(owner.readMessages(100)).containsExactlyElementsOf(messages);
  }

  /** read, MUST 1: nothing of what was never committed. */
  @Test
  void whatWasRolledBackIsNeverRead(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message before = Samples.ordered("k");
    Message after = Samples.ordered("k");
    UserTransaction dropped = tck.begin();
    dropped.append(Samples.ordered("k"));
    tck.append(before);
    assertThat(owner.readMessages(10)).containsExactly(before);

    dropped.rollback();
    tck.append(after);

    assertThat(owner.readMessages(10)).containsExactly(after);
  }

  /** read, MUST 4: an open transaction, also one with the same key, stops no reader. */
  @Test
  void anOpenTransactionHoldsNobodyUp(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    UserTransaction open = tck.begin();
    open.append(Samples.ordered("k"));
    List<Message> messages = Samples.ordered("k", 5);
    tck.append(messages);

    assertThat(owner.readMessages(2)).containsExactlyElementsOf(messages);

    open.commit();
  }

  /** read, MUST 1, in every size of steps. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 12, 13, 1000})
  void whoReadsAsLongAsBatchesAreFullHasReadItAll(int limit, StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 12);
    tck.append(messages);

    List<Message> read = new ArrayList<>();
    LaneBatch batch;
    do {
      batch = owner.read(limit);
      assertThat(batch.entries()).hasSizeLessThanOrEqualTo(limit);
      read.addAll(LaneOwner.messages(batch.entries()));
    } while (batch.full());

    assertThat(read).containsExactlyElementsOf(messages);
    assertThat(owner.readMessages(limit)).isEmpty();
  }

  @Test
  void anEmptyLaneGivesAnEmptyBatchThatIsNotFull(StoreUnderTest tck) throws Exception {
    LaneBatch batch = LaneOwner.of(tck).read(10);

    assertThat(batch.entries()).isEmpty();
    assertThat(batch.full()).isFalse();
  }

  /** Where to read from is the reader's to say: reading moves nothing. */
  @Test
  void readingAgainFromAPositionGivesTheSame(StoreUnderTest tck) throws Exception {
    OrderedStore<Object> store = tck.ordered(1);
    LaneOwner owner = LaneOwner.of(tck);
    tck.append(Samples.ordered("k", 5));

    List<LaneEntry> first = store.log().read(owner.lease(), owner.lease().position(), 10).entries();
    List<LaneEntry> again = store.log().read(owner.lease(), owner.lease().position(), 10).entries();

    assertThat(LaneOwner.messages(again)).containsExactlyElementsOf(LaneOwner.messages(first));
    assertThat(store.backlog().pending()).isEqualTo(5);
  }

  /** LaneEntry: its first attempt, and its token is its place. */
  @Test
  void anEntryIsTheFirstAttemptAtItsMessage(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    tck.append(Samples.ordered("k", 5));

    List<Claim> claims = owner.readAll(10).stream().map(LaneEntry::claim).toList();

    assertThat(claims)
        .allSatisfy(
            claim -> {
              assertThat(claim.attempt()).isEqualTo(1);
              assertThat(claim.expiredOwner()).isEmpty();
              assertThat(claim.appendedAt()).isEqualTo(tck.find(claim.id()).appendedAt());
            });
    List<Long> places = claims.stream().map(Claim::token).toList();
    assertThat(places).isSorted().doesNotHaveDuplicates();
  }

  /** read, MUST 3: the position of the whole batch is that of its last entry. */
  @Test
  void theNextOwnerReadsOnWhereTheLastOneSettled(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 6);
    tck.append(messages);
    LaneBatch batch = owner.read(4);
    owner.settle(batch.end());
    owner.release();

    LaneOwner next = LaneOwner.take(StoreUnderTest.ordered(tck.anotherNode()), 0, "node-2");

    assertThat(next.readMessages(10)).containsExactlyElementsOf(messages.subList(4, 6));
  }

  /** read, MUST 1: read is not settled. */
  @Test
  void whatWasReadAndNotSettledIsReadAgainByTheNextOwner(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    List<Message> messages = Samples.ordered("k", 6);
    tck.append(messages);
    owner.readAll(10);
    owner.release();

    LaneOwner next = LaneOwner.take(tck.ordered(), 0, "node-2");

    assertThat(next.readMessages(10)).containsExactlyElementsOf(messages);
  }
}
