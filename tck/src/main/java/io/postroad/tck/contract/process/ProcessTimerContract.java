package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.Processes.change;
import static io.postroad.tck.contract.process.Processes.find;
import static io.postroad.tck.contract.process.Processes.fire;
import static io.postroad.tck.contract.process.Processes.lock;
import static io.postroad.tck.contract.process.Processes.log;
import static io.postroad.tck.contract.process.Processes.logOf;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.message.MessageIds;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A timer fires when it is due, in one transaction at a time, the longest due first. */
@StoreContract
@OrderedOnly
public final class ProcessTimerContract {

  @Test
  void firesWhenItIsDueAndNotBefore(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    started(store, ProcessSample.of(store));
    assertThat(fire(store)).as("without a timer").isEmpty();
    StoredProcess process =
        started(store, ProcessSample.of(store).due(store.now().plusSeconds(600)));
    assertThat(fire(store)).as("before").isEmpty();
    tck.advance(Duration.ofSeconds(601));

    Locked due =
        store
            .transactions()
            .<Optional<Locked>, RuntimeException>call(store.processes()::lockDue)
            .orElseThrow();
    assertThat(due.process()).isEqualTo(process);
    assertThat(due.now()).isAfterOrEqualTo(process.dueAt().orElseThrow());
    assertThat(fire(store)).as("it was locked and not saved").contains(process.id());
    assertThat(fire(store)).as("its timer is out").isEmpty();
  }

  @Test
  void theLongestDueIsFirst(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    Instant now = store.now();
    List<UUID> fired = new ArrayList<>();
    for (int behind : new int[] {3, 20, 1, 12, 7, 15, 2}) {
      started(store, ProcessSample.of(store).due(now.minusSeconds(behind)).retries(behind));
    }
    for (int i = 0; i < 7; i++) {
      fired.add(fire(store).orElseThrow());
    }

    assertThat(fired.stream().map(id -> find(store, id).summary().retries()))
        .containsExactly(20, 15, 12, 7, 3, 2, 1);
    assertThat(fire(store)).isEmpty();
  }

  @Test
  void eachFiresInOneOfManyTransactions(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    List<UUID> ids = new ArrayList<>();
    Instant now = store.now();
    for (int i = 0; i < 40; i++) {
      ids.add(started(store, ProcessSample.of(store).due(now.minusSeconds(i))).id());
    }

    List<List<UUID>> fired =
        tck.together(
            8,
            () -> {
              List<UUID> mine = new ArrayList<>();
              for (Optional<UUID> one = fire(store); one.isPresent(); one = fire(store)) {
                mine.add(one.get());
              }
              return mine;
            });

    List<UUID> all = new ArrayList<>(fired.stream().flatMap(List::stream).toList());
    for (Optional<UUID> one = fire(store); one.isPresent(); one = fire(store)) {
      all.add(one.get());
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
    for (UUID id : ids) {
      assertThat(logOf(store, id)).as("entries of one that fired once").hasSize(2);
    }
  }

  @Test
  void whatAnotherHasLockedIsLeftOut(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    Instant now = store.now();
    StoredProcess older = started(store, ProcessSample.of(store).due(now.minusSeconds(60)));
    StoredProcess newer = started(store, ProcessSample.of(store).due(now.minusSeconds(30)));
    UserTransaction holder = tck.begin();
    lock(store, holder.handle(), older.id());

    assertThat(fire(store)).contains(newer.id());
    assertThat(fire(store)).as("while the only one that is due is locked").isEmpty();
    holder.rollback();

    assertThat(fire(store)).contains(older.id());
  }

  @Test
  void manyThatOthersHaveLockedAreLeftOut(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    Instant now = store.now();
    List<UUID> held = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      held.add(started(store, ProcessSample.of(store).due(now.minusSeconds(99 - i))).id());
    }
    StoredProcess free = started(store, ProcessSample.of(store).due(now));
    UserTransaction holder = tck.begin();
    held.forEach(id -> lock(store, holder.handle(), id));

    assertThat(fire(store)).contains(free.id());
    holder.rollback();
  }

  @Test
  void whatAnotherHasLockedIsBusyAtOnce(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store));
    UserTransaction holder = tck.begin();
    lock(store, holder.handle(), process.id());

    assertThatExceptionOfType(ProcessBusyException.class)
        .isThrownBy(() -> lockNow(store, process.id()))
        .withMessageContaining(process.id().toString());
    holder.rollback();

    assertThat(lockNow(store, process.id()).orElseThrow().process()).isEqualTo(process);
    assertThat(lockNow(store, MessageIds.next())).as("there is none").isEmpty();
  }

  private static Optional<Locked> lockNow(ProcessStore<Object> store, UUID id) {
    return store
        .transactions()
        .<Optional<Locked>, RuntimeException>call(
            transaction -> store.processes().lockNow(transaction, id));
  }

  @Test
  void aRollbackLeavesTheTimer(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).due(store.now()));
    UserTransaction transaction = tck.begin();
    Locked due = store.processes().lockDue(transaction.handle()).orElseThrow();
    change(store, transaction.handle(), due, ProcessSample::noTimer);
    transaction.rollback();

    assertThat(fire(store)).contains(process.id());
  }

  @Test
  void aTimerCanBeSetAnew(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).due(store.now()));
    change(store, process.id(), sample -> sample.due(store.now().plusSeconds(60)));
    assertThat(fire(store)).isEmpty();
    tck.advance(Duration.ofSeconds(61));

    assertThat(fire(store)).contains(process.id());
  }

  @Test
  void aTimeThatIsTooFineIsNotTooEarly(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    Instant odd = store.now().plusSeconds(60).plusNanos(1);
    StoredProcess process = started(store, ProcessSample.of(store).due(odd));
    assertThat(find(store, process.id()).dueAt().orElseThrow())
        .isBetween(odd, odd.plus(store.tick()));

    change(store, process.id(), sample -> sample.due(odd.plusSeconds(60)));

    assertThat(find(store, process.id()).dueAt().orElseThrow())
        .isBetween(odd.plusSeconds(60), odd.plusSeconds(60).plus(store.tick()));
  }

  @Test
  void whatIsPostponedComesAfterOthersAndChangesNothingElse(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    Instant now = store.now();
    StoredProcess broken = started(store, ProcessSample.of(store).due(now.minusSeconds(60)));
    StoredProcess other = started(store, ProcessSample.of(store).due(now.minusSeconds(30)));

    store.processes().postpone(broken.id(), Duration.ofSeconds(90));

    StoredProcess later = find(store, broken.id());
    assertThat(later.dueAt().orElseThrow()).isAfterOrEqualTo(now.plusSeconds(90));
    assertThat(ProcessSample.from(later).due(broken.dueAt().orElseThrow()).build())
        .isEqualTo(broken);
    assertThat(logOf(store, broken.id())).hasSize(1);
    assertThat(fire(store)).contains(other.id());
    assertThat(fire(store)).isEmpty();
    tck.advance(Duration.ofSeconds(91));
    assertThat(fire(store)).contains(broken.id());
  }

  @Test
  void onlyATimerThatIsDueIsPostponed(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess none = started(store, ProcessSample.of(store));
    StoredProcess later = started(store, ProcessSample.of(store).due(store.now().plusSeconds(60)));

    store.processes().postpone(none.id(), Duration.ofMinutes(15));
    store.processes().postpone(later.id(), Duration.ofMinutes(15));
    store.processes().postpone(MessageIds.next(), Duration.ofMinutes(15));

    assertThat(find(store, none.id())).isEqualTo(none);
    assertThat(find(store, later.id())).isEqualTo(later);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.processes().postpone(later.id(), Duration.ofSeconds(-1)));
  }

  @Test
  void whatAnotherHasLockedIsNotPostponed(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).due(store.now()));
    UserTransaction holder = tck.begin();
    Locked locked = lock(store, holder.handle(), process.id());

    store.processes().postpone(process.id(), Duration.ofMinutes(15));
    StoredProcess after = change(store, holder.handle(), locked, ProcessSample::noTimer);
    holder.commit();

    assertThat(find(store, process.id())).isEqualTo(after);
  }

  @Test
  void whatIsNotCommittedDoesNotFire(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    UserTransaction open = tck.begin();
    StoredProcess process = ProcessSample.of(store).due(store.now()).build();
    assertThat(store.processes().start(open.handle(), process, log(process))).isEmpty();

    assertThat(fire(store)).isEmpty();
    open.commit();

    assertThat(fire(store)).contains(process.id());
  }
}
