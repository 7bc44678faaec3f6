package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.Processes.find;
import static io.postroad.tck.contract.process.Processes.log;
import static io.postroad.tck.contract.process.Processes.logOf;
import static io.postroad.tck.contract.process.Processes.start;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import io.postroad.tck.contract.command.Commands;
import io.postroad.tck.contract.scene.Samples;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A started process exists after the commit; only one is active for each business key. */
@StoreContract
@OrderedOnly
public final class ProcessStartContract {
  private static final String ODD = "\u00e4 ' \"$\\%\u4f60\ud83d\ude00\u2028\t${x}?";

  @Test
  void comesBackAsItWasStarted(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess whole =
        ProcessSample.of(store)
            .type("Pay.ment_v-2" + "t".repeat(108))
            .key(odd(255))
            .active("COMPENSATING")
            .step(odd(255))
            .data("{\"a\":\"" + ODD + "\",\"n\":123456789012345678901234567890.10, \"$set\":{}}")
            .retries(Integer.MAX_VALUE)
            .definition("$hash-" + "d".repeat(58))
            .paused(true)
            .failure("$BUSINESS", odd(4_000))
            .snapshot("{\"m\":\"" + ODD + "\"}")
            .due(store.now().plus(Duration.ofDays(400)))
            .lastSeq(2)
            .updated(store.now().plus(store.tick()))
            .build();
    List<ProcessLogEntry> log =
        List.of(
            new ProcessLogEntry(
                MessageIds.next(),
                whole.id(),
                1,
                "$Type" + "x".repeat(115),
                Optional.of(odd(255)),
                "{\"odd\":\"" + ODD + "\"}",
                whole.identity().createdAt()),
            log(whole, 2, 2).get(0));

    Optional<UUID> taken =
        store
            .transactions()
            .<Optional<UUID>, RuntimeException>call(
                transaction -> store.processes().start(transaction, whole, log));

    assertThat(taken).isEmpty();
    assertThat(find(store, whole.id())).isEqualTo(whole);
    assertThat(logOf(store, whole.id())).isEqualTo(log);
    assertThat(
            store
                .transactions()
                .<StoredProcess, RuntimeException>call(
                    transaction -> Processes.lock(store, transaction, whole.id()).process()))
        .isEqualTo(whole);
    assertThat(store.queries().list(ProcessFilter.all(), 10)).containsExactly(whole);
  }

  /** A text with odd characters and so many in all. */
  private static String odd(int length) {
    return "$" + ODD + "x".repeat(length - ODD.length() - 1);
  }

  @Test
  void aBusinessKeyHasOneActiveProcess(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("payment-1"));
    StoredProcess second = ProcessSample.of(store).key("payment-1").build();

    assertThat(start(tck.processes(), second)).contains(first.id());

    assertThat(store.queries().find(second.id())).isEmpty();
    assertThat(logOf(store, second.id())).isEmpty();
    assertThat(find(store, first.id())).isEqualTo(first);
    assertThat(logOf(store, first.id())).hasSize(1);
  }

  @Test
  void aTakenBusinessKeyLeavesATransactionThatCanGoOn(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("payment-1"));
    StoredProcess second = ProcessSample.of(store).key("payment-1").build();
    StoredProcess third = ProcessSample.of(store).key("payment-2").build();

    UserTransaction transaction = tck.begin();
    assertThat(store.processes().start(transaction.handle(), second, log(second)))
        .contains(first.id());
    assertThat(store.processes().start(transaction.handle(), third, log(third))).isEmpty();
    transaction.commit();

    assertThat(store.queries().find(second.id())).isEmpty();
    assertThat(find(store, third.id())).isEqualTo(third);
  }

  @Test
  void twiceInOneTransactionIsOnce(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = ProcessSample.of(store).key("payment-1").build();
    StoredProcess second = ProcessSample.of(store).key("payment-1").build();

    UserTransaction transaction = tck.begin();
    assertThat(store.processes().start(transaction.handle(), first, log(first))).isEmpty();
    assertThat(store.processes().start(transaction.handle(), second, log(second)))
        .contains(first.id());
    transaction.commit();

    assertThat(store.queries().list(ProcessFilter.all(), 10)).containsExactly(first);
  }

  /** A combined text of type and key must not be the same for two pairs. */
  @Test
  void anotherTypeOrBusinessKeyIsAnotherProcess(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    List<List<String>> pairs =
        List.of(
            List.of("a", "bc"),
            List.of("ab", "c"),
            List.of("a", "b:c"),
            List.of("a:b", "c"),
            List.of("a", "b|c"),
            List.of("a|b", "c"),
            List.of("a/b", "c"),
            List.of("a", "b/c"),
            List.of("1:a", "c"),
            List.of("1", "a:c"),
            List.of("A", "bc"),
            List.of("a", "bC"),
            List.of("a", "bc "),
            List.of("a", ""));

    for (List<String> pair : pairs) {
      assertThat(start(store, ProcessSample.of(store).type(pair.get(0)).key(pair.get(1)).build()))
          .as("%s", pair)
          .isEmpty();
    }

    assertThat(store.queries().list(ProcessFilter.all(), 100)).hasSize(pairs.size());
  }

  @Test
  void thoseThatAreNotUniqueNeitherHaveTheKeyNorMindIt(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();

    assertThat(start(store, ProcessSample.of(store).key("p").unique(false).build())).isEmpty();
    assertThat(start(store, ProcessSample.of(store).key("p").unique(false).build())).isEmpty();
    StoredProcess unique = started(store, ProcessSample.of(store).key("p"));
    assertThat(start(store, ProcessSample.of(store).key("p").unique(false).build())).isEmpty();
    assertThat(start(store, ProcessSample.of(store).key("p").build())).contains(unique.id());
    assertThat(store.queries().list(ProcessFilter.all(), 10)).hasSize(4);
  }

  @Test
  void oneThatHasEndedDoesNotHaveTheKey(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();

    started(store, ProcessSample.of(store).key("p").ended("SUCCEEDED"));
    StoredProcess active = started(store, ProcessSample.of(store).key("p"));

    assertThat(start(store, ProcessSample.of(store).key("p").build())).contains(active.id());
    assertThat(start(store, ProcessSample.of(store).key("p").ended("FAILED").build()))
        .as("an inactive process does not take a business key")
        .isEmpty();
  }

  @Test
  void oneOfSixteenConcurrentStartsOfABusinessKeyIsWritten(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();

    List<Optional<UUID>> answers =
        tck.together(16, () -> start(store, ProcessSample.of(store).key("one key").build()));

    List<StoredProcess> written = store.queries().list(ProcessFilter.all(), 100);
    assertThat(written).hasSize(1);
    assertThat(answers.stream().filter(Optional::isEmpty)).hasSize(1);
    assertThat(answers.stream().flatMap(Optional::stream))
        .hasSize(15)
        .containsOnly(written.get(0).id());
    assertThat(logOf(store, written.get(0).id())).hasSize(1);
  }

  @Test
  void aSecondStartReturnsTheProcessThatTheFirstCommits(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    UserTransaction open = tck.begin();
    StoredProcess first = ProcessSample.of(store).key("p").build();
    assertThat(store.processes().start(open.handle(), first, log(first))).isEmpty();

    var second = tck.async(() -> start(store, ProcessSample.of(store).key("p").build()));
    open.commit();

    assertThat(StoreUnderTest.get(second)).contains(first.id());
  }

  @Test
  void aSecondStartSucceedsAfterTheFirstRollsBack(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    UserTransaction open = tck.begin();
    StoredProcess first = ProcessSample.of(store).key("p").build();
    assertThat(store.processes().start(open.handle(), first, log(first))).isEmpty();

    var second = tck.async(() -> start(store, ProcessSample.of(store).key("p").build()));
    open.rollback();

    assertThat(StoreUnderTest.get(second)).isEmpty();
  }

  @Test
  void aRollbackLeavesNothing(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    UserTransaction transaction = tck.begin();
    StoredProcess process = ProcessSample.of(store).key("p").due(store.now()).build();
    assertThat(store.processes().start(transaction.handle(), process, log(process))).isEmpty();
    assertThat(store.queries().find(process.id())).as("before the commit").isEmpty();
    assertThat(logOf(store, process.id())).as("before the commit").isEmpty();
    assertThat(Processes.fire(store)).as("before the commit").isEmpty();
    transaction.rollback();

    assertThat(store.queries().find(process.id())).isEmpty();
    assertThat(logOf(store, process.id())).isEmpty();
    assertThat(store.queries().list(ProcessFilter.all(), 10)).isEmpty();
    assertThat(store.queries().counts()).isEmpty();
    assertThat(Processes.fire(store)).isEmpty();
    assertThat(start(store, ProcessSample.of(store).key("p").build())).isEmpty();
  }

  @Test
  void startNeedsATransaction(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    Object none = tck.notATransaction();
    StoredProcess known = started(store, ProcessSample.of(store).due(store.now()));
    StoredProcess other = ProcessSample.of(store).build();
    StoredProcess changed = ProcessSample.from(known).ended("FAILED").lastSeq(2).build();

    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.processes().start(none, other, log(other)));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.processes().lock(none, known.id()));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.processes().lockDue(none));
    assertThatExceptionOfType(NoTransactionException.class)
        .isThrownBy(() -> store.processes().save(none, changed, log(changed, 2, 2)));
    assertThat(store.queries().list(ProcessFilter.all(), 10)).containsExactly(known);
    assertThat(logOf(store, known.id())).hasSize(1);
  }

  @Test
  void refusesAnIdThatIsTaken(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess first = started(store, ProcessSample.of(store).key("p").ended("SUCCEEDED"));
    StoredProcess second = ProcessSample.of(store).id(first.id()).key("q").build();

    assertThatExceptionOfType(PostroadException.class).isThrownBy(() -> start(store, second));

    assertThat(find(store, first.id())).isEqualTo(first);
    assertThat(logOf(store, first.id())).hasSize(1);
  }

  @Test
  void aMebibyteOfDataComesBack(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    String data = "{\"d\":\"" + "x".repeat((1 << 20) - 8) + "\"}";
    StoredProcess process = started(store, ProcessSample.of(store).data(data));

    assertThat(find(store, process.id()).data().equals(data)).isTrue();
    StoredProcess changed =
        Processes.change(store, process.id(), sample -> sample.data(data.replace('x', 'y')));
    assertThat(find(store, process.id()).equals(changed)).isTrue();
  }

  /** PostgreSQL cannot keep one in a text. */
  @Test
  void aNulIsKeptOrRefused(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = ProcessSample.of(store).key("before\0after").build();
    try {
      assertThat(start(store, process)).isEmpty();
    } catch (PostroadException refused) {
      assertThat(refused).hasMessageContaining(process.id().toString());
      assertThat(store.queries().find(process.id())).isEmpty();
      return;
    }
    assertThat(find(store, process.id())).isEqualTo(process);
    assertThat(store.queries().list(ProcessFilter.all().withBusinessKey("before\0after"), 10))
        .hasSize(1);
  }

  @Test
  void startedAppendedAndAcceptedAreOneCommit(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    var commands = tck.commands();
    StoredProcess process = ProcessSample.of(store).build();
    UserTransaction first = tck.begin();
    store.processes().start(first.handle(), process, log(process));
    commands.accept(first.handle(), Commands.command("key-1"));
    var unused = first.append(Samples.ordered("customer-1"));
    first.rollback();
    assertThat(tck.receive()).isEmpty();
    assertThat(commands.findByKey("key-1")).isEmpty();
    assertThat(store.queries().find(process.id())).isEmpty();

    UserTransaction second = tck.begin();
    store.processes().start(second.handle(), process, log(process));
    commands.accept(second.handle(), Commands.command("key-1"));
    var unusedToo = second.append(Samples.ordered("customer-1"));
    second.commit();
    assertThat(tck.receive()).hasSize(1);
    assertThat(commands.findByKey("key-1")).isPresent();
    assertThat(store.queries().find(process.id())).isPresent();
  }
}
