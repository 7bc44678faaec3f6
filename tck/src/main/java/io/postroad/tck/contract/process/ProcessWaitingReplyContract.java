package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.Processes.lock;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.message.MessageIds;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.spi.process.WaitingReply;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Waiting replies are kept in order, and each is taken once. */
@StoreContract
@OrderedOnly
public final class ProcessWaitingReplyContract {

  private static ProcessStore<Object> store(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    assumeTrue(
        store.waitingReplies().isPresent(), () -> store.name() + " keeps no waiting replies");
    return store;
  }

  private static WaitingReplies<Object> waiting(ProcessStore<Object> store) {
    return store.waitingReplies().orElseThrow();
  }

  private static List<UUID> processes(ProcessStore<Object> store, int limit) {
    return waiting(store).processes(limit, List.of());
  }

  /** A transaction of a user is not repeated, so the second lock would fail instead. */
  @Test
  void aStoreWithoutWaitingRepliesWaitsForTheLockOfAProcess(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    assumeTrue(store.waitingReplies().isEmpty(), () -> store.name() + " keeps waiting replies");
    StoredProcess process = started(store, ProcessSample.of(store));
    UserTransaction first = tck.begin();
    Locked locked = lock(store, first.handle(), process.id());
    UserTransaction second = tck.begin();

    var waits = tck.async(() -> lock(store, second.handle(), process.id()));
    StoredProcess changed =
        Processes.change(store, first.handle(), locked, sample -> sample.step("first"));
    first.commit();

    assertThat(StoreUnderTest.get(waits).process()).isEqualTo(changed);
    second.rollback();
  }

  @Test
  void repliesAreTakenOnceInOrder(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    StoredProcess other = started(store, ProcessSample.of(store));
    List<WaitingReply> replies = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      replies.add(reply(process, i));
      add(store, replies.get(i));
    }
    add(store, reply(other, 99));

    assertThat(take(store, process.id())).isEqualTo(replies);
    assertThat(take(store, process.id())).isEmpty();
    assertThat(take(store, other.id())).hasSize(1);
  }

  @Test
  void repliesOfOneTransactionKeepTheirOrder(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    List<WaitingReply> replies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      replies.add(reply(process, i));
    }

    store
        .transactions()
        .run(
            transaction -> {
              for (WaitingReply reply : replies) {
                waiting(store).add(transaction, reply);
              }
            });

    assertThat(take(store, process.id())).isEqualTo(replies);
  }

  @Test
  void aRollbackUndoesAddAndTake(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    UserTransaction adds = tck.begin();
    waiting(store).add(adds.handle(), reply(process, 1));
    assertThat(processes(store, 10)).as("before the commit").isEmpty();
    adds.rollback();
    assertThat(take(store, process.id())).isEmpty();

    WaitingReply reply = reply(process, 2);
    add(store, reply);
    UserTransaction takes = tck.begin();
    lock(store, takes.handle(), process.id());
    assertThat(waiting(store).take(takes.handle(), process.id())).containsExactly(reply);
    takes.rollback();

    assertThat(processes(store, 10)).containsExactly(process.id());
    assertThat(take(store, process.id())).containsExactly(reply);
    assertThat(processes(store, 10)).isEmpty();
  }

  /** A transaction of a user is not repeated, so a conflict would fail it. */
  @Test
  void addingAReplyDoesNotCollideWithALockOrOtherReplies(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    UserTransaction holder = tck.begin();
    lock(store, holder.handle(), process.id());
    List<UserTransaction> open = new ArrayList<>();
    List<WaitingReply> replies = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      open.add(tck.begin());
      replies.add(reply(process, i));
      waiting(store).add(open.get(i).handle(), replies.get(i));
    }
    for (UserTransaction transaction : open) {
      transaction.commit();
    }
    holder.rollback();

    assertThat(take(store, process.id())).containsExactlyInAnyOrderElementsOf(replies);
  }

  @Test
  void oneOfManyTransactionsTakesEachReply(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    List<WaitingReply> replies = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      replies.add(reply(process, i));
      add(store, replies.get(i));
    }

    List<List<WaitingReply>> taken = tck.together(6, () -> take(store, process.id()));

    assertThat(taken.stream().flatMap(List::stream)).containsExactlyElementsOf(replies);
  }

  @Test
  void processesWithWaitingRepliesAreListedOldestFirst(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      StoredProcess process = started(store, ProcessSample.of(store).id(UUID.randomUUID()));
      add(store, reply(process, 1));
      ids.add(process.id());
      tck.advance(Duration.ofSeconds(1));
    }
    add(store, reply(Processes.find(store, ids.get(0)), 2));

    assertThat(processes(store, 10)).containsExactlyElementsOf(ids);
    assertThat(processes(store, 2)).containsExactlyElementsOf(ids.subList(0, 2));
    take(store, ids.get(0));
    assertThat(processes(store, 10)).containsExactlyElementsOf(ids.subList(1, 3));
  }

  @Test
  void excludedProcessesAreNotListedAndDoNotCountForTheLimit(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      StoredProcess process = started(store, ProcessSample.of(store).id(UUID.randomUUID()));
      add(store, reply(process, 1));
      add(store, reply(process, 2));
      ids.add(process.id());
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(waiting(store).processes(2, List.of(ids.get(0), ids.get(2))))
        .containsExactly(ids.get(1), ids.get(3));
    assertThat(waiting(store).processes(10, ids)).isEmpty();
    assertThat(waiting(store).processes(10, List.of(UUID.randomUUID())))
        .containsExactlyElementsOf(ids);
  }

  @Test
  void addAndTakeNeedATransaction(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    Object none = tck.notATransaction();

    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> waiting(store).add(none, reply(process, 1)));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> waiting(store).take(none, process.id()));
    assertThat(processes(store, 10)).isEmpty();
  }

  @Test
  void repliesArePurgedWithTheirProcess(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = store(tck);
    StoredProcess process = started(store, ProcessSample.of(store).ended("FAILED"));
    add(store, reply(process, 1));
    tck.advance(Duration.ofDays(8));

    assertThat(store.purge(Duration.ofDays(7), 10)).isEqualTo(1);

    assertThat(processes(store, 10)).isEmpty();
  }

  private static WaitingReply reply(StoredProcess process, int number) {
    return new WaitingReply(
        process.id(), MessageIds.next(), "{\"n\":" + number + ",\"t\":\"\u00e4 $x\"}");
  }

  private static void add(ProcessStore<Object> store, WaitingReply reply) {
    store.transactions().run(transaction -> waiting(store).add(transaction, reply));
  }

  private static List<WaitingReply> take(ProcessStore<Object> store, UUID id) {
    return store
        .transactions()
        .<List<WaitingReply>, RuntimeException>call(
            transaction -> {
              lock(store, transaction, id);
              return waiting(store).take(transaction, id);
            });
  }
}
