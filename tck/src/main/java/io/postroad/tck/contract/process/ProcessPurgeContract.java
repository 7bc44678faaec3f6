package io.postroad.tck.contract.process;

import static io.postroad.tck.contract.process.Processes.change;
import static io.postroad.tck.contract.process.Processes.find;
import static io.postroad.tck.contract.process.Processes.logOf;
import static io.postroad.tck.contract.process.Processes.start;
import static io.postroad.tck.contract.process.Processes.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredDefinition;
import io.postroad.spi.process.StoredProcess;
import io.postroad.tck.OrderedOnly;
import io.postroad.tck.StoreContract;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A purge deletes old processes completely, and keeps everything that is needed. */
@StoreContract
@OrderedOnly
public final class ProcessPurgeContract {
  private static final Duration WEEK = Duration.ofDays(7);

  @Test
  void purgeDeletesOldEndedProcessesWithTheirLogs(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess old = started(store, ProcessSample.of(store).key("old").lastSeq(3));
    StoredProcess asleep = started(store, ProcessSample.of(store));
    change(store, old.id(), sample -> sample.ended("SUCCEEDED"));
    tck.advance(WEEK.plusSeconds(1));
    StoredProcess young = started(store, ProcessSample.of(store).ended("FAILED"));
    StoredProcess endsNow = started(store, ProcessSample.of(store));
    tck.advance(Duration.ofDays(1));
    change(store, endsNow.id(), sample -> sample.ended("SUCCEEDED"));

    assertThat(store.purge(WEEK, 100)).isEqualTo(1);

    assertThat(store.queries().find(old.id())).isEmpty();
    assertThat(logOf(store, old.id())).isEmpty();
    for (StoredProcess kept : List.of(asleep, young, endsNow)) {
      assertThat(store.queries().find(kept.id())).isPresent();
      assertThat(logOf(store, kept.id())).isNotEmpty();
    }
    assertThat(store.purge(WEEK, 100)).isZero();
    assertThat(start(store, ProcessSample.of(store).id(old.id()).key("old").build()))
        .as("nothing of it is left that is in the way")
        .isEmpty();
  }

  @Test
  void forgetsABoundedNumberTheLongestAgoFirst(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(started(store, ProcessSample.of(store).ended("SUCCEEDED")).id());
      tck.advance(Duration.ofSeconds(1));
    }
    tck.advance(WEEK);

    assertThat(store.purge(WEEK, 2)).isEqualTo(2);
    assertThat(ids.stream().map(id -> store.queries().find(id).isPresent()))
        .containsExactly(false, false, true, true, true);
    assertThat(store.purge(WEEK, 100)).isEqualTo(3);
  }

  @Test
  void oneThatBecameActiveAgainStays(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    StoredProcess process = started(store, ProcessSample.of(store).ended("FAILED"));
    change(store, process.id(), sample -> sample.active("COMPENSATING"));
    tck.advance(WEEK.multipliedBy(2));

    assertThat(store.purge(WEEK, 100)).isZero();
    assertThat(find(store, process.id()).isActive()).isTrue();
    change(store, process.id(), sample -> sample.ended("COMPENSATED"));
    assertThat(store.purge(WEEK, 100)).as("it ended just now").isZero();
  }

  @Test
  void severalNodesForgetAtOnce(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    for (int i = 0; i < 40; i++) {
      started(store, ProcessSample.of(store).ended("SUCCEEDED"));
    }
    tck.advance(WEEK.plusSeconds(1));

    List<Integer> forgotten = tck.together(4, () -> store.purge(WEEK, 10));

    int rest = store.purge(WEEK, 100);
    assertThat(forgotten.stream().mapToInt(Integer::intValue).sum() + rest).isEqualTo(40);
    assertThat(store.queries().counts()).isEmpty();
  }

  @Test
  void purgeDeletesUnusedDefinitions(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    for (String hash : List.of("unused", "ended", "active", "newest")) {
      store.definitions().keep(new StoredDefinition(Processes.TYPE, hash, "{}"));
      tck.advance(Duration.ofSeconds(1));
    }
    store.definitions().keep(new StoredDefinition("Other", "unused", "{}"));
    store.purge(WEEK, 100);
    assertThat(kept(store, "unused")).as("it is not a week old").isTrue();
    tck.advance(WEEK);
    started(store, ProcessSample.of(store).definition("ended").ended("SUCCEEDED"));
    started(store, ProcessSample.of(store).definition("active"));

    store.purge(WEEK, 100);

    assertThat(kept(store, "unused")).isFalse();
    assertThat(kept(store, "ended")).as("a process that has ended is there").isTrue();
    assertThat(kept(store, "active")).isTrue();
    assertThat(kept(store, "newest")).isTrue();
    assertThat(store.definitions().find("Other", "unused"))
        .as("the newest of its type")
        .isPresent();

    tck.advance(WEEK.plusSeconds(1));
    store.purge(WEEK, 100);
    store.purge(WEEK, 100);

    assertThat(kept(store, "ended")).as("its process is forgotten").isFalse();
    assertThat(kept(store, "active")).isTrue();
    assertThat(kept(store, "newest")).isTrue();
  }

  @Test
  void aDefinitionThatIsKeptAgainIsTheNewest(StoreUnderTest tck) throws Exception {
    ProcessStore<Object> store = tck.processes();
    for (String hash : List.of("one", "two", "one")) {
      store.definitions().keep(new StoredDefinition(Processes.TYPE, hash, "{}"));
      tck.advance(Duration.ofSeconds(1));
    }
    tck.advance(WEEK);

    store.purge(WEEK, 100);

    assertThat(kept(store, "one")).isTrue();
    assertThat(kept(store, "two")).isFalse();
  }

  private static boolean kept(ProcessStore<Object> store, String hash) {
    return store.definitions().find(Processes.TYPE, hash).isPresent();
  }
}
