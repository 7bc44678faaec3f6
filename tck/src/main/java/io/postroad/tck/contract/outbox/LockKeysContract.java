package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.spi.OutboxStore;
import io.postroad.store.OrderKey;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.lane.LaneOwner;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code lockKeys}: transactions that append with one key, one after the other. */
@StoreContract
@OrderedOnly
public final class LockKeysContract {
  /** Which of two threads comes first is up to the machine, so each meeting is tried often. */
  private static final int ROUNDS = 20;

  @Test
  void theSecondGetsTheLockWhenTheFirstHasCommitted(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    OutboxStore<Object> another = tck.anotherNode();
    for (int round = 0; round < ROUNDS; round++) {
      Message first = Samples.ordered("k");
      Message second = Samples.ordered("k");
      UserTransaction holder = tck.begin();
      holder.lockKeys(Set.of(OrderKey.of(first)));
      Future<Boolean> sawTheFirst = lockAndAppend(tck, another, first, second);

      holder.append(first);
      holder.commit();

      assertThat(StoreUnderTest.get(sawTheFirst))
          .as("round %d: committed when the second got the lock", round)
          .isTrue();
      assertThat(owner.readMessages(10)).containsExactly(first, second);
    }
  }

  @Test
  void theSecondGetsTheLockWhenTheFirstHasRolledBack(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message first = Samples.ordered("k");
    Message second = Samples.ordered("k");
    UserTransaction holder = tck.begin();
    holder.lockKeys(Set.of(OrderKey.of(first)));
    Future<Boolean> sawTheFirst = lockAndAppend(tck, tck.anotherNode(), first, second);

    holder.append(first);
    holder.rollback();

    assertThat(StoreUnderTest.get(sawTheFirst)).isFalse();
    assertThat(owner.readMessages(10)).containsExactly(second);
  }

  @Test
  void otherKeysDoNotWait(StoreUnderTest tck) throws Exception {
    tck.ordered(1);
    Message first = Samples.ordered("one");
    Message second = Samples.ordered("two");
    UserTransaction holder = tck.begin();
    holder.lockKeys(Set.of(OrderKey.of(first)));

    Future<Boolean> other = lockAndAppend(tck, tck.anotherNode(), first, second);

    assertThat(StoreUnderTest.get(other)).isFalse();
    holder.commit();
  }

  @Test
  void aTransactionMayLockAKeyAgain(StoreUnderTest tck) throws Exception {
    LaneOwner owner = LaneOwner.of(tck);
    Message message = Samples.ordered("k");
    UserTransaction transaction = tck.begin();
    transaction.lockKeys(Set.of(OrderKey.of(message)));
    transaction.lockKeys(Set.of(OrderKey.of(message), OrderKey.of(Samples.ordered("other"))));
    transaction.lockKeys(Set.of());
    transaction.append(message);
    transaction.commit();

    assertThat(owner.readMessages(10)).containsExactly(message);
  }

  /**
   * lockKeys, MUST 2: two name the same keys, the other way round, and both have got as far as the
   * middle one when its holder lets it go.
   */
  @Test
  void keysInAnyOrderDoNotDeadlock(StoreUnderTest tck) throws Exception {
    tck.ordered(1);
    OutboxStore<Object> another = tck.anotherNode();
    List<OrderKey> keys =
        Stream.of("a", "b", "c", "d", "e").map(key -> OrderKey.of(Samples.ordered(key))).toList();
    List<OrderKey> reversed = new ArrayList<>(keys);
    Collections.reverse(reversed);
    for (int round = 0; round < ROUNDS; round++) {
      UserTransaction holder = tck.begin();
      holder.lockKeys(Set.of(keys.get(2)));
      Future<Boolean> one = lockAndCommit(tck, tck.store(), keys);
      Future<Boolean> two = lockAndCommit(tck, another, reversed);

      holder.commit();

      assertThat(StoreUnderTest.get(one)).isTrue();
      assertThat(StoreUnderTest.get(two)).isTrue();
    }
  }

  /** lockKeys, MUST 1. */
  @Test
  void withoutATransactionThereIsNoLock(StoreUnderTest tck) throws Exception {
    tck.ordered(1);
    Object notATransaction = tck.notATransaction();
    Set<OrderKey> keys = Set.of(OrderKey.of(Samples.ordered("k")));

    assertThatThrownBy(() -> tck.ordered().lockKeys(notATransaction, keys))
        .isInstanceOf(NoTransactionException.class);

    UserTransaction transaction = tck.begin();
    transaction.lockKeys(keys);
    transaction.commit();
  }

  /**
   * On another thread: locks, looks whether the first message is there, appends the second.
   *
   * @return when the other thread is about to lock
   */
  private static Future<Boolean> lockAndAppend(
      StoreUnderTest tck, OutboxStore<Object> node, Message first, Message second)
      throws Exception {
    CountDownLatch aboutToLock = new CountDownLatch(1);
    Future<Boolean> result =
        tck.async(
            () -> {
              UserTransaction transaction = tck.begin(node);
              aboutToLock.countDown();
              transaction.lockKeys(Set.of(OrderKey.of(second)));
              boolean there = node.find(first.id()).isPresent();
              transaction.append(second);
              transaction.commit();
              return there;
            });
    assertThat(aboutToLock.await(60, TimeUnit.SECONDS)).isTrue();
    return result;
  }

  /** On another thread, which is about to lock when this returns. */
  private static Future<Boolean> lockAndCommit(
      StoreUnderTest tck, OutboxStore<Object> node, List<OrderKey> keys) throws Exception {
    CountDownLatch aboutToLock = new CountDownLatch(1);
    Future<Boolean> result =
        tck.async(
            () -> {
              UserTransaction transaction = tck.begin(node);
              aboutToLock.countDown();
              transaction.lockKeys(new LinkedHashSet<>(keys));
              transaction.commit();
              return true;
            });
    assertThat(aboutToLock.await(60, TimeUnit.SECONDS)).isTrue();
    return result;
  }
}
