package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.Processes.change;
import static io.postroad.tck.contract.process.Processes.find;
import static io.postroad.tck.contract.process.Processes.lock;
import static io.postroad.tck.contract.process.Processes.log;
import static io.postroad.tck.contract.process.Processes.logOf;
import static io.postroad.tck.contract.process.Processes.start;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A locked process is changed by one transaction at a time, and what it saved is read next. */
@StoreContract
@OrderedOnly
public final class ProcessSaveContract {

  @Test
  void whatIsSavedIsReadNext(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store));

    StoredProcess second =
        change(
            store,
            first.id(),
            sample ->
                sample
                    .active("COMPENSATING")
                    .step("BookFx \u00e4'$")
                    .data("{\"n\":\"\u00e4 \ud83d\ude00 ' $x\"}")
                    .retries(7)
                    .paused(true)
                    .failure("BUSINESS", "$InsufficientFunds: \u00e4")
                    .snapshot("{\"$at\":[]}")
                    .due(first.identity().createdAt().plusSeconds(600)));

    assertThat(find(store, first.id())).isEqualTo(second);
    assertThat(logOf(store, first.id())).extracting(ProcessLogEntry::seq).containsExactly(1L, 2L);

    StoredProcess third = change(store, first.id(), sample -> ProcessSample.from(first).lastSeq(3));
    assertThat(find(store, first.id())).as("what was there is not there any more").isEqualTo(third);
  }

  @Test
  void aSaveDoesNotChangeTheIdentity(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("p"));

    change(
        store,
        first.id(),
        sample ->
            sample
                .type("Other")
                .key("other")
                .unique(false)
                .definition("other")
                .created(first.identity().createdAt().minusSeconds(5))
                .retries(1));

    StoredProcess found = find(store, first.id());
    assertThat(found.summary().retries()).as("what was changed").isEqualTo(1);
    assertThat(found.type()).isEqualTo(first.type());
    assertThat(found.identity().businessKey()).isEqualTo("p");
    assertThat(found.identity().isUnique()).isTrue();
    assertThat(found.definition()).isEqualTo(first.definition());
    assertThat(found.identity().createdAt()).isEqualTo(first.identity().createdAt());
    assertThat(start(store, ProcessSample.of(store).key("p").build())).contains(first.id());
    assertThat(start(store, ProcessSample.of(store).key("other").build())).isEmpty();
  }

  @Test
  void whatDoesNotExistCannotBeLockedOrSaved(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess unknown = ProcessSample.of(store).build();

    assertThat(
            store
                .transactions()
                .<Optional<Locked>, RuntimeException>call(
                    transaction -> store.processes().lock(transaction, unknown.id())))
        .isEmpty();
    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () ->
                store
                    .transactions()
                    .run(transaction -> store.processes().save(transaction, unknown, log(unknown))))
        .withMessageContaining(unknown.id().toString());
    assertThat(store.queries().find(unknown.id())).isEmpty();
    assertThat(logOf(store, unknown.id())).isEmpty();
  }

  @Test
  void aLockTellsTheTimeOfTheDatabase(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store));
    tck.advance(Duration.ofDays(40));

    Instant before = store.now();
    Instant now =
        store
            .transactions()
            .<Instant, RuntimeException>call(
                transaction -> lock(store, transaction, process.id()).now());
    Instant after = store.now();

    assertThat(before).isAfter(process.identity().createdAt().plus(Duration.ofDays(39)));
    assertThat(now).isBetween(before.minusMillis(1), after.plusMillis(1));
    assertThat(Duration.between(Instant.EPOCH, now).toNanos() % store.tick().toNanos())
        .as("no finer than what is kept")
        .isZero();
  }

  @Test
  void aSecondLockReadsTheCommitOfTheFirst(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store));
    UserTransaction first = tck.begin();
    Locked locked = lock(store, first.handle(), process.id());

    var second =
        tck.async(
            () -> change(store, process.id(), sample -> sample.step("second " + step(sample))));
    change(store, first.handle(), locked, sample -> sample.step("first"));
    assertThat(find(store, process.id())).as("before the commit").isEqualTo(process);
    first.commit();

    StoredProcess after = StoreUnderTest.get(second);
    assertThat(after.summary().currentStep()).isEqualTo("second first");
    assertThat(find(store, process.id())).isEqualTo(after);
    assertThat(logOf(store, process.id())).hasSize(3);
  }

  @Test
  void aSecondLockAfterARollbackReadsTheStateBefore(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).step("begin"));
    UserTransaction first = tck.begin();
    Locked locked = lock(store, first.handle(), process.id());
    change(store, first.handle(), locked, sample -> sample.step("first"));

    var second =
        tck.async(
            () -> change(store, process.id(), sample -> sample.step("second " + step(sample))));
    first.rollback();

    assertThat(StoreUnderTest.get(second).summary().currentStep()).isEqualTo("second begin");
    assertThat(logOf(store, process.id())).extracting(ProcessLogEntry::seq).containsExactly(1L, 2L);
  }

  private static String step(ProcessSample sample) {
    return sample.build().summary().currentStep();
  }

  @Test
  void eightConcurrentCountersLoseNoUpdate(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).retries(0));

    tck.together(
        8,
        () -> {
          for (int i = 0; i < 25; i++) {
            change(
                store,
                process.id(),
                sample -> sample.retries(sample.build().summary().retries() + 1));
          }
          return true;
        });

    StoredProcess after = find(store, process.id());
    assertThat(after.summary().retries()).isEqualTo(200);
    assertThat(after.lastSeq()).isEqualTo(201);
    List<ProcessLogEntry> log = logOf(store, process.id());
    assertThat(log)
        .extracting(ProcessLogEntry::seq)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 201).boxed().toList());
    assertThat(log).extracting(ProcessLogEntry::createdAt).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aNumberThatIsTakenFailsTheTransaction(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store));
    StoredProcess now = change(store, process.id(), sample -> sample.step("two"));
    StoredProcess late = ProcessSample.from(process).lastSeq(2).step("late").build();
    StoredProcess other = ProcessSample.of(store).build();

    UserTransaction transaction = tck.begin();
    assertThat(store.processes().start(transaction.handle(), other, log(other))).isEmpty();
    assertThatThrownBy(() -> store.processes().save(transaction.handle(), late, log(late, 2, 2)));
    try {
      transaction.commit();
    } catch (Exception refused) {
      assertThat(refused).isNotNull();
    }

    assertThat(find(store, process.id())).isEqualTo(now);
    assertThat(logOf(store, process.id())).extracting(ProcessLogEntry::seq).containsExactly(1L, 2L);
    assertThat(store.queries().find(other.id()))
        .as("what else was done in the transaction")
        .isEmpty();
  }

  @Test
  void anEndedProcessFreesItsBusinessKey(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("p"));
    UserTransaction rolledBack = tck.begin();
    change(
        store,
        rolledBack.handle(),
        lock(store, rolledBack.handle(), first.id()),
        sample -> sample.ended("SUCCEEDED"));
    rolledBack.rollback();
    assertThat(start(store, ProcessSample.of(store).key("p").build()))
        .as("after a rollback")
        .contains(first.id());

    change(store, first.id(), sample -> sample.ended("SUCCEEDED"));

    StoredProcess second = started(store, ProcessSample.of(store).key("p"));
    assertThat(start(store, ProcessSample.of(store).key("p").build())).contains(second.id());
  }

  @Test
  void endedAndStartedAnewAreOneTransaction(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("p"));
    StoredProcess second = ProcessSample.of(store).key("p").build();

    UserTransaction transaction = tck.begin();
    Locked locked = lock(store, transaction.handle(), first.id());
    change(store, transaction.handle(), locked, sample -> sample.ended("FAILED"));
    assertThat(store.processes().start(transaction.handle(), second, log(second))).isEmpty();
    transaction.commit();

    assertThat(find(store, first.id()).isActive()).isFalse();
    assertThat(start(store, ProcessSample.of(store).key("p").build())).contains(second.id());
  }

  @Test
  void aReopenedProcessHasItsBusinessKeyAgain(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("p"));
    change(store, first.id(), sample -> sample.ended("FAILED"));
    change(store, first.id(), sample -> sample.active("COMPENSATING"));

    assertThat(start(store, ProcessSample.of(store).key("p").build())).contains(first.id());
  }

  @Test
  void reopeningAProcessFailsWhenItsBusinessKeyIsTaken(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("p"));
    StoredProcess ended = change(store, first.id(), sample -> sample.ended("FAILED"));
    StoredProcess second = started(store, ProcessSample.of(store).key("p"));

    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(() -> change(store, first.id(), sample -> sample.active("COMPENSATING")))
        .withMessageContaining(first.id().toString());

    assertThat(find(store, first.id())).isEqualTo(ended);
    assertThat(logOf(store, first.id())).hasSize(2);
    change(store, second.id(), sample -> sample.ended("SUCCEEDED"));
    assertThat(change(store, first.id(), sample -> sample.active("COMPENSATING")).isActive())
        .isTrue();
  }

  @Test
  void aTransactionSeesItsOwnWrites(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = ProcessSample.of(store).key("p").build();

    UserTransaction transaction = tck.begin();
    assertThat(store.processes().start(transaction.handle(), process, log(process))).isEmpty();
    Locked started = lock(store, transaction.handle(), process.id());
    assertThat(started.process()).isEqualTo(process);
    StoredProcess second =
        change(store, transaction.handle(), started, sample -> sample.step("two"));
    Locked again = lock(store, transaction.handle(), process.id());
    assertThat(again.process()).isEqualTo(second);
    StoredProcess third =
        change(store, transaction.handle(), again, sample -> sample.step("three"));
    transaction.commit();

    assertThat(find(store, process.id())).isEqualTo(third);
    assertThat(logOf(store, process.id())).hasSize(3);
  }

  @Test
  void aUnitThatThrowsLeavesNothing(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store));

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        transaction -> {
                          Locked locked = lock(store, transaction, process.id());
                          change(store, transaction, locked, sample -> sample.step("two"));
                          throw new IllegalStateException("no");
                        }));

    assertThat(find(store, process.id())).isEqualTo(process);
    assertThat(logOf(store, process.id())).hasSize(1);
  }

  @Test
  void aSaveMayHaveNoEntriesOrMany(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store));
    StoredProcess quiet = ProcessSample.from(process).paused(true).build();
    store
        .transactions()
        .run(
            transaction -> {
              lock(store, transaction, process.id());
              store.processes().save(transaction, quiet, List.of());
            });
    assertThat(find(store, process.id())).isEqualTo(quiet);

    StoredProcess loud = ProcessSample.from(quiet).lastSeq(301).build();
    List<ProcessLogEntry> entries = log(loud, 2, 301);
    store
        .transactions()
        .run(
            transaction -> {
              lock(store, transaction, process.id());
              store.processes().save(transaction, loud, entries);
            });

    assertThat(find(store, process.id())).isEqualTo(loud);
    assertThat(store.queries().log(process.id(), 1, 1_000)).isEqualTo(entries);
  }

  @Test
  void aKnownProcessIsSavedWithoutALock(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store));
    StoredProcess second = ProcessSample.from(first).step("two").lastSeq(2).build();
    StoredProcess ended = ProcessSample.from(second).ended("SUCCEEDED").lastSeq(20).build();

    saveKnown(store, 1, second, log(second, 2, 2));
    assertThat(find(store, first.id())).isEqualTo(second);

    saveKnown(store, 2, ended, log(ended, 3, 20));
    assertThat(find(store, first.id())).isEqualTo(ended);
    assertThat(logOf(store, first.id())).hasSize(20);
  }

  @Test
  void whatWasChangedMeanwhileIsNotSavedWithoutALock(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store));
    StoredProcess mine = ProcessSample.from(first).step("mine").lastSeq(2).build();
    StoredProcess theirs = change(store, first.id(), sample -> sample.step("theirs"));
    StoredProcess gone = ProcessSample.of(store).build();

    assertThatThrownBy(() -> saveKnown(store, 1, mine, log(mine, 2, 2)))
        .isInstanceOf(ChangedMeanwhileException.class)
        .hasMessageContaining(first.id().toString());
    assertThatThrownBy(() -> saveKnown(store, 1, mine, List.of()))
        .isInstanceOf(ChangedMeanwhileException.class);
    assertThatThrownBy(() -> saveKnown(store, 1, gone, log(gone)))
        .isInstanceOf(ChangedMeanwhileException.class);

    assertThat(find(store, first.id())).isEqualTo(theirs);
    assertThat(logOf(store, first.id())).hasSize(2);
    assertThat(logOf(store, gone.id())).isEmpty();
  }

  @Test
  void aKnownProcessWithManyEntriesIsNotSavedAfterAChange(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store));
    for (int i = 0; i < 12; i++) {
      StoredProcess unused = change(store, first.id(), sample -> sample.step("theirs"));
    }
    StoredProcess mine = ProcessSample.from(first).step("mine").lastSeq(21).build();

    assertThatThrownBy(() -> saveKnown(store, 1, mine, log(mine, 2, 21)))
        .isInstanceOf(ChangedMeanwhileException.class);

    assertThat(logOf(store, first.id())).hasSize(13);
  }

  /** A conflict is known at the end of the batch, before later writes. */
  @Test
  void whatIsWrittenTogetherWithASaveThatDoesNotHoldIsNotThere(StoreUnderTest tck)
      throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store));
    StoredProcess mine = ProcessSample.from(first).step("mine").lastSeq(2).build();
    StoredProcess theirs = change(store, first.id(), sample -> sample.step("theirs"));
    StoredProcess other = ProcessSample.of(store).build();

    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        transaction -> {
                          boolean unused =
                              store
                                  .transactions()
                                  .together(
                                      transaction,
                                      unit -> {
                                        store.processes().saveKnown(unit, 1, mine, log(mine, 2, 2));
                                        return store
                                            .processes()
                                            .start(unit, other, log(other))
                                            .isEmpty();
                                      });
                        }))
        .isInstanceOf(ChangedMeanwhileException.class);

    assertThat(find(store, first.id())).isEqualTo(theirs);
    assertThat(store.queries().find(other.id())).isEmpty();
  }

  private static void saveKnown(
      ProcessStore<Object> store, long knownSeq, StoredProcess process, List<ProcessLogEntry> log) {
    store
        .transactions()
        .run(transaction -> store.processes().saveKnown(transaction, knownSeq, process, log));
  }

  @Test
  void aNearTimeIsThatOfTheDatabase(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    for (int i = 0; i < 3; i++) {
      Instant before = store.now();
      Instant near =
          store.transactions().<Instant, RuntimeException>call(store.processes()::nearlyNow);

      assertThat(near).isBetween(before.minusSeconds(2), store.now().plusMillis(1));
      assertThat(Duration.between(Instant.EPOCH, near).toNanos() % store.tick().toNanos())
          .as("no finer than what is kept")
          .isZero();
      tck.advance(Duration.ofDays(40));
    }
  }

  /** It comes from an exception, and must not fail its own save. */
  @Test
  void aFailureWithANulIsSaved(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store));

    change(store, process.id(), sample -> sample.ended("FAILED").failure("X", "a\0b \ud800 c"));

    assertThat(find(store, process.id()).summary().failure().orElseThrow())
        .startsWith("a")
        .endsWith("c");
    assertThat(find(store, process.id()).summary().status()).isEqualTo("FAILED");
  }
}
