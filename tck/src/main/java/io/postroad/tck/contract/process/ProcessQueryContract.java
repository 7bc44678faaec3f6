package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.Processes.change;
import static io.postroad.tck.contract.process.Processes.find;
import static io.postroad.tck.contract.process.Processes.logOf;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredDefinition;
import io.postroad.spi.process.StoredProcess;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import io.postroad.tck.UserTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Queries read processes, logs and definitions page by page, without waiting for locks. */
@StoreContract
@OrderedOnly
public final class ProcessQueryContract {

  @Test
  void findsNothingWhereNothingIs(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();

    assertThat(store.queries().find(MessageIds.next())).isEmpty();
    assertThat(store.queries().list(ProcessFilter.all(), 10)).isEmpty();
    assertThat(store.queries().counts()).isEmpty();
    assertThat(logOf(store, MessageIds.next())).isEmpty();
    assertThat(store.definitions().find("SimplePayment", "hash-1")).isEmpty();
    assertThat(store.queries().activeByDefinition("SimplePayment")).isEmpty();
  }

  /** Java compares ids as signed numbers, databases do not. */
  @Test
  void listsByIdPageByPage(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    List<UUID> ids = new ArrayList<>();
    for (long high : new long[] {0x7fff_ffff_ffff_7fffL, -1L << 40, 1, 0x1234_0000_0000_7000L}) {
      ids.add(new UUID(high, 5));
      ids.add(new UUID(high, -5));
    }
    ids.add(MessageIds.next());
    for (UUID id : ids) {
      started(store, ProcessSample.of(store).id(id));
    }
    ids.sort(Comparator.comparing(UUID::toString));

    List<UUID> listed = new ArrayList<>();
    ProcessFilter filter = ProcessFilter.all();
    for (List<StoredProcess> page = store.queries().list(filter, 2);
        !page.isEmpty();
        page = store.queries().list(filter, 2)) {
      assertThat(page).hasSizeLessThanOrEqualTo(2);
      page.forEach(process -> listed.add(process.id()));
      filter = filter.withAfter(page.get(page.size() - 1).id());
    }

    assertThat(listed).isEqualTo(ids);
  }

  @Test
  void listReturnsTheProcessesOfTheFilter(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    Instant begin = store.now();
    StoredProcess one = started(store, ProcessSample.of(store).key("k-1").definition("h-1"));
    StoredProcess two =
        started(store, ProcessSample.of(store).type("Other").key("k-1").definition("h-2"));
    StoredProcess three =
        started(store, ProcessSample.of(store).key("k-1").ended("SUCCEEDED").definition("h-2"));
    StoredProcess four =
        started(
            store,
            ProcessSample.of(store)
                .key("k-2")
                .active("COMPENSATING")
                .definition("h-1")
                .updated(begin.plusSeconds(100)));
    ProcessFilter all = ProcessFilter.all();

    assertThat(ids(store, all)).containsExactly(sorted(one, two, three, four));
    assertThat(ids(store, all.withType("Other"))).containsExactly(two.id());
    assertThat(ids(store, all.withBusinessKey("k-1"))).containsExactly(sorted(one, two, three));
    assertThat(ids(store, all.withStatuses(Set.of("RUNNING")))).containsExactly(sorted(one, two));
    assertThat(ids(store, all.withStatuses(Set.of("COMPENSATING", "SUCCEEDED", "FAILED"))))
        .containsExactly(sorted(three, four));
    assertThat(ids(store, all.withDefinition("h-1"))).containsExactly(sorted(one, four));
    assertThat(ids(store, all.withUpdatedBefore(four.updatedAt())))
        .containsExactly(sorted(one, two, three));
    assertThat(ids(store, all.withUpdatedBefore(four.updatedAt().plus(store.tick())))).hasSize(4);
    assertThat(ids(store, all.withUpdatedBefore(begin))).isEmpty();
    assertThat(
            ids(
                store,
                all.withType(Processes.TYPE)
                    .withBusinessKey("k-1")
                    .withStatuses(Set.of("RUNNING", "SUCCEEDED"))
                    .withDefinition("h-2")
                    .withUpdatedBefore(begin.plusSeconds(50))))
        .containsExactly(three.id());
    assertThat(ids(store, all.withStatuses(Set.of("RUNNING", "SUCCEEDED")).withAfter(one.id())))
        .doesNotContain(one.id())
        .isSubsetOf(sorted(two, three));
    assertThat(ids(store, all.withType("other"))).isEmpty();
    assertThat(store.queries().list(all.withStatuses(Set.of("RUNNING", "SUCCEEDED")), 2))
        .hasSize(2);
  }

  private static List<UUID> ids(ProcessStore<Object> store, ProcessFilter filter) {
    return store.queries().list(filter, 100).stream().map(StoredProcess::id).toList();
  }

  private static UUID[] sorted(StoredProcess... processes) {
    return List.of(processes).stream()
        .map(StoredProcess::id)
        .sorted(Comparator.comparing(UUID::toString))
        .toArray(UUID[]::new);
  }

  @Test
  void countsByStatus(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess ends = started(store, ProcessSample.of(store));
    started(store, ProcessSample.of(store));
    started(store, ProcessSample.of(store).ended("FAILED"));
    assertThat(store.queries().counts()).isEqualTo(Map.of("RUNNING", 2L, "FAILED", 1L));

    change(store, ends.id(), sample -> sample.ended("FAILED"));

    assertThat(store.queries().counts()).isEqualTo(Map.of("RUNNING", 1L, "FAILED", 2L));
  }

  @Test
  void queriesReadCommittedProcessesWithoutWaiting(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).key("p"));
    UserTransaction holder = tck.begin();
    change(
        store,
        holder.handle(),
        Processes.lock(store, holder.handle(), process.id()),
        sample -> sample.ended("FAILED"));

    assertThat(find(store, process.id())).isEqualTo(process);
    assertThat(store.queries().list(ProcessFilter.all().withBusinessKey("p"), 10))
        .containsExactly(process);
    assertThat(store.queries().counts()).isEqualTo(Map.of("RUNNING", 1L));
    assertThat(store.queries().activeByDefinition(process.type()))
        .isEqualTo(Map.of(process.definition(), 1L));
    assertThat(logOf(store, process.id())).hasSize(1);
    holder.rollback();
  }

  @Test
  void readsALogPageByPage(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).lastSeq(7));
    StoredProcess other = started(store, ProcessSample.of(store).lastSeq(2));

    assertThat(seqs(store.queries().log(process.id(), 0, 3))).containsExactly(1L, 2L, 3L);
    assertThat(seqs(store.queries().log(process.id(), 3, 3))).containsExactly(4L, 5L, 6L);
    assertThat(seqs(store.queries().log(process.id(), 6, 3))).containsExactly(7L);
    assertThat(store.queries().log(process.id(), 7, 3)).isEmpty();
    assertThat(logOf(store, process.id()))
        .allMatch(entry -> entry.processId().equals(process.id()));
    assertThat(logOf(store, other.id()))
        .isEqualTo(store.queries().log(other.id(), 0, 2))
        .hasSize(2);
  }

  private static List<Long> seqs(List<ProcessLogEntry> log) {
    return log.stream().map(ProcessLogEntry::seq).toList();
  }

  @Test
  void keepsDefinitionsByTypeAndHash(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredDefinition first =
        new StoredDefinition("Payment", "h-1", "{\"$steps\":[\"\u00e4 ' $x\"]}");
    StoredDefinition second = new StoredDefinition("Payment", "h-2", "{\"steps\":[]}");
    StoredDefinition other = new StoredDefinition("Other", "h-1", "{}");
    store.definitions().keep(first);
    store.definitions().keep(second);
    store.definitions().keep(other);
    Instant since = store.definitions().keptSince("Payment", "h-1").orElseThrow();
    tck.advance(Duration.ofMinutes(1));
    tck.processes().definitions().keep(first);

    assertThat(store.definitions().find("Payment", "h-1")).contains(first);
    assertThat(store.definitions().find("Payment", "h-2")).contains(second);
    assertThat(store.definitions().find("Other", "h-1")).contains(other);
    assertThat(store.definitions().find("Other", "h-2")).isEmpty();
    assertThat(store.definitions().keptSince("Payment", "h-1")).as("kept first").contains(since);
    assertThat(store.definitions().keptSince("Other", "h-2")).isEmpty();
  }

  @Test
  void refusesAnotherGraphUnderOneHash(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredDefinition first = new StoredDefinition("Payment", "h-1", "{\"steps\":[1]}");
    store.definitions().keep(first);

    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () ->
                store.definitions().keep(new StoredDefinition("Payment", "h-1", "{\"steps\":[2]}")))
        .withMessageContaining("Payment")
        .withMessageContaining("h-1");

    assertThat(store.definitions().find("Payment", "h-1")).contains(first);
  }

  @Test
  void manyNodesKeepOneDefinitionAtOnce(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredDefinition definition = new StoredDefinition("Payment", "h-1", "{}");

    tck.together(
        8,
        () -> {
          store.definitions().keep(definition);
          return true;
        });

    assertThat(store.definitions().find("Payment", "h-1")).contains(definition);
  }

  @Test
  void countsActiveProcessesByDefinition(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    started(store, ProcessSample.of(store).definition("h-1"));
    started(store, ProcessSample.of(store).definition("h-1").active("COMPENSATING"));
    started(store, ProcessSample.of(store).definition("h-1").ended("SUCCEEDED"));
    StoredProcess ends = started(store, ProcessSample.of(store).definition("h-2"));
    started(store, ProcessSample.of(store).definition("h-3").type("Other"));
    assertThat(store.queries().activeByDefinition(Processes.TYPE))
        .isEqualTo(Map.of("h-1", 2L, "h-2", 1L));

    change(store, ends.id(), sample -> sample.ended("FAILED"));

    assertThat(store.queries().activeByDefinition(Processes.TYPE)).isEqualTo(Map.of("h-1", 2L));
    assertThat(store.queries().activeByDefinition("Other")).isEqualTo(Map.of("h-3", 1L));
  }

  @Test
  void refusesLimitsThatItDoesNotTake(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    ProcessFilter all = ProcessFilter.all();
    int tooMuch = ProcessStore.MAX_ROWS + 1;

    assertThatIllegalArgumentException().isThrownBy(() -> store.queries().list(all, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> store.queries().list(all, tooMuch));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.queries().log(MessageIds.next(), 0, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.queries().log(MessageIds.next(), 0, tooMuch));
    assertThatIllegalArgumentException().isThrownBy(() -> store.purge(Duration.ZERO, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> store.purge(Duration.ZERO, tooMuch));
    store
        .waitingReplies()
        .ifPresent(
            waiting -> {
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> waiting.processes(0, List.of()));
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> waiting.processes(tooMuch, List.of()));
            });
  }
}
