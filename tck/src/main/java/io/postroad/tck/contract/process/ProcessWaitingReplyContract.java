package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.Processes.lock;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.message.MessageIds;
import io.postroad.spi.WaitingReply;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.StoredProcess;
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

/** Replies wait for whoever moves their process, in order, and are taken once. */
@StoreContract
@OrderedOnly
public final class ProcessWaitingReplyContract {

  private static ProcessStore<Object> parking(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    assumeTrue(store.parksBranches(), () -> store.name() + " parks no branches");
    return store;
  }

  @Test
  void aStoreThatDoesNotParkSaysSo(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    assumeTrue(!store.parksBranches(), () -> store.name() + " parks branches");
    StoredProcess process = started(store, ProcessSample.of(store));

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> park(store, arrival(process, 1)))
        .withMessageContaining("parksBranches");
    assertThat(take(store, process.id())).isEmpty();
    assertThat(store.parked(10)).isEmpty();
  }

  @Test
  void areTakenOnceInOrder(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    StoredProcess other = started(store, ProcessSample.of(store));
    List<WaitingReply> arrivals = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      arrivals.add(arrival(process, i));
      park(store, arrivals.get(i));
    }
    park(store, arrival(other, 99));

    assertThat(take(store, process.id())).isEqualTo(arrivals);
    assertThat(take(store, process.id())).isEmpty();
    assertThat(take(store, other.id())).hasSize(1);
  }

  @Test
  void severalOfOneTransactionKeepTheirOrder(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    List<WaitingReply> arrivals = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      arrivals.add(arrival(process, i));
    }

    store
        .transactions()
        .run(
            transaction -> {
              for (WaitingReply arrival : arrivals) {
                store.park(transaction, arrival);
              }
            });

    assertThat(take(store, process.id())).isEqualTo(arrivals);
  }

  @Test
  void aRollbackLeavesThingsAsTheyWere(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    UserTransaction parks = tck.begin();
    store.park(parks.handle(), arrival(process, 1));
    assertThat(store.parked(10)).as("before the commit").isEmpty();
    parks.rollback();
    assertThat(take(store, process.id())).isEmpty();

    WaitingReply arrival = arrival(process, 2);
    park(store, arrival);
    UserTransaction takes = tck.begin();
    lock(store, takes.handle(), process.id());
    assertThat(store.takeParked(takes.handle(), process.id())).containsExactly(arrival);
    takes.rollback();

    assertThat(store.parked(10)).containsExactly(process.id());
    assertThat(take(store, process.id())).containsExactly(arrival);
    assertThat(store.parked(10)).isEmpty();
  }

  /** User transactions are not run again: a conflict would fail them. */
  @Test
  void nobodyIsInTheWayOfWhoParks(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    UserTransaction holder = tck.begin();
    lock(store, holder.handle(), process.id());
    List<UserTransaction> open = new ArrayList<>();
    List<WaitingReply> arrivals = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      open.add(tck.begin());
      arrivals.add(arrival(process, i));
      store.park(open.get(i).handle(), arrivals.get(i));
    }
    for (UserTransaction transaction : open) {
      transaction.commit();
    }
    holder.rollback();

    assertThat(take(store, process.id())).containsExactlyInAnyOrderElementsOf(arrivals);
  }

  @Test
  void ofManyWhoTakeOneGetsEach(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    List<WaitingReply> arrivals = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      arrivals.add(arrival(process, i));
      park(store, arrivals.get(i));
    }

    List<List<WaitingReply>> taken = tck.together(6, () -> take(store, process.id()));

    assertThat(taken.stream().flatMap(List::stream)).containsExactlyElementsOf(arrivals);
  }

  @Test
  void tellsWhichProcessesHaveSomeTheOldestFirst(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      StoredProcess process = started(store, ProcessSample.of(store).id(UUID.randomUUID()));
      park(store, arrival(process, 1));
      ids.add(process.id());
      tck.advance(Duration.ofSeconds(1));
    }
    park(store, arrival(Processes.find(store, ids.get(0)), 2));

    assertThat(store.parked(10)).containsExactlyElementsOf(ids);
    assertThat(store.parked(2)).containsExactlyElementsOf(ids.subList(0, 2));
    take(store, ids.get(0));
    assertThat(store.parked(10)).containsExactlyElementsOf(ids.subList(1, 3));
  }

  @Test
  void leavesOutThoseThatCannotBeMovedNow(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      StoredProcess process = started(store, ProcessSample.of(store).id(UUID.randomUUID()));
      park(store, arrival(process, 1));
      park(store, arrival(process, 2));
      ids.add(process.id());
      tck.advance(Duration.ofSeconds(1));
    }

    assertThat(store.parked(2, List.of(ids.get(0), ids.get(2))))
        .containsExactly(ids.get(1), ids.get(3));
    assertThat(store.parked(10, ids)).isEmpty();
    assertThat(store.parked(10, List.of(UUID.randomUUID()))).containsExactlyElementsOf(ids);
  }

  @Test
  void needATransaction(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    StoredProcess process = started(store, ProcessSample.of(store));
    Object none = tck.notATransaction();

    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.park(none, arrival(process, 1)));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.takeParked(none, process.id()));
    assertThat(store.parked(10)).isEmpty();
  }

  @Test
  void areForgottenWithTheirProcess(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = parking(tck);
    StoredProcess process = started(store, ProcessSample.of(store).ended("FAILED"));
    park(store, arrival(process, 1));
    tck.advance(Duration.ofDays(8));

    assertThat(store.purge(Duration.ofDays(7), 10)).isEqualTo(1);

    assertThat(store.parked(10)).isEmpty();
  }

  private static WaitingReply arrival(StoredProcess process, int number) {
    return new WaitingReply(
        process.id(), MessageIds.next(), "{\"n\":" + number + ",\"t\":\"\u00e4 $x\"}");
  }

  private static void park(ProcessStore<Object> store, WaitingReply arrival) {
    store.transactions().run(transaction -> store.park(transaction, arrival));
  }

  private static List<WaitingReply> take(ProcessStore<Object> store, UUID id) {
    return store
        .transactions()
        .<List<WaitingReply>, RuntimeException>call(
            transaction -> {
              lock(store, transaction, id);
              return store.takeParked(transaction, id);
            });
  }
}
