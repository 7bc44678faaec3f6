package io.postroad.tck.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.spi.OutboxStore;
import io.postroad.store.AppendResult;
import io.postroad.store.AppendResult.Appended;
import io.postroad.store.AppendResult.Duplicate;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.scene.Samples;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** append, MUST 3, when several transactions use one deduplication key at the same time. */
@StoreContract
public final class ConcurrentDeduplicationContract {
  /** Which of two threads comes first is up to the machine, so each meeting is tried often. */
  private static final int ROUNDS = 20;

  @Test
  void ofManyThatUseAKeyAtOnceOneAppendsAndTheOthersLearnItsId(StoreUnderTest tck)
      throws Exception {
    OutboxStore<Object> one = tck.store();
    OutboxStore<Object> two = tck.anotherNode();
    for (int round = 0; round < ROUNDS; round++) {
      String key = "round-" + round;
      CyclicBarrier together = new CyclicBarrier(8);

      List<AppendResult> results =
          tck.together(
              8,
              () -> {
                int position = together.await(60, TimeUnit.SECONDS);
                OutboxStore<Object> node = position % 2 == 0 ? one : two;
                return node.transactions()
                    .<AppendResult, RuntimeException>call(
                        transaction ->
                            node.append(
                                    transaction,
                                    List.of(Samples.withKey(key)),
                                    StoreUnderTest.DEDUPLICATE_FOR)
                                .get(0));
              });

      List<UUID> appended =
          results.stream().filter(Appended.class::isInstance).map(AppendResult::id).toList();
      assertThat(appended).hasSize(1);
      assertThat(results).filteredOn(Duplicate.class::isInstance).hasSize(7);
      assertThat(results).extracting(AppendResult::id).containsOnly(appended.get(0));
    }
    assertThat(one.backlog().pending()).isEqualTo(ROUNDS);
  }

  @Test
  void whoMeetsAnOpenTransactionWithItsKeyGetsDuplicateOnceThatCommits(StoreUnderTest tck)
      throws Exception {
    OutboxStore<Object> another = tck.anotherNode();
    for (int round = 0; round < ROUNDS; round++) {
      String key = "round-" + round;
      Message first = Samples.withKey(key);
      UserTransaction open = tck.begin();
      open.append(first);
      Future<List<AppendResult>> second = appendElsewhere(tck, another, Samples.withKey(key));

      open.commit();

      assertThat(StoreUnderTest.get(second)).containsExactly(new Duplicate(first.id()));
      assertThat(tck.receiveOne().id()).isEqualTo(first.id());
    }
  }

  @Test
  void whoMeetsAnOpenTransactionWithItsKeyAppendsOnceThatRollsBack(StoreUnderTest tck)
      throws Exception {
    OutboxStore<Object> another = tck.anotherNode();
    for (int round = 0; round < ROUNDS; round++) {
      String key = "round-" + round;
      UserTransaction open = tck.begin();
      open.append(Samples.withKey(key));
      Message next = Samples.withKey(key);
      Future<List<AppendResult>> second = appendElsewhere(tck, another, next);

      open.rollback();

      assertThat(StoreUnderTest.get(second)).containsExactly(new Appended(next.id()));
      assertThat(tck.receiveOne().id()).isEqualTo(next.id());
    }
  }

  @Test
  void differentKeysDoNotWaitForEachOther(StoreUnderTest tck) throws Exception {
    UserTransaction open = tck.begin();
    open.append(Samples.withKey("one"));
    Message other = Samples.withKey("two");

    assertThat(StoreUnderTest.get(appendElsewhere(tck, tck.anotherNode(), other)))
        .containsExactly(new Appended(other.id()));

    open.commit();
  }

  /** Returns when the other thread is about to append. */
  private static Future<List<AppendResult>> appendElsewhere(
      StoreUnderTest tck, OutboxStore<Object> node, Message message) throws Exception {
    CountDownLatch aboutToAppend = new CountDownLatch(1);
    Future<List<AppendResult>> result =
        tck.async(
            () -> {
              UserTransaction transaction = tck.begin(node);
              aboutToAppend.countDown();
              List<AppendResult> results = transaction.append(message);
              transaction.commit();
              return results;
            });
    assertThat(aboutToAppend.await(60, TimeUnit.SECONDS)).isTrue();
    return result;
  }
}
