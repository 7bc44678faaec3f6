package io.postroad.mongodb.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.TestProcesses;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks conflicts, limits and documents of processes on MongoDB. */
class MongoProcessStoreTest {
  private static OrderedDatabase database;
  private static MongoProcessStore store;

  @BeforeAll
  static void create() {
    database = OrderedDatabase.fresh("process");
    store = database.openProcesses();
  }

  @BeforeEach
  void empty() {
    database.reset(1);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void needsTransactions() {
    MongoOptions none =
        MongoOptions.defaults().withTransactionMode(MongoOptions.TransactionMode.NONE);

    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(() -> MongoProcessStore.open(database.client(), none))
        .withMessageContaining("MongoProcessStore needs transactions");
  }

  @Test
  void refusesMoreDataThanAMebibyte() {
    String most = "{\"d\":\"" + "\u00e4".repeat((1 << 19) - 4) + "\"}";
    StoredProcess process = started("p");
    StoredProcess fits = TestProcesses.next(process, most);
    StoredProcess tooMuch = TestProcesses.next(process, most + " ");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> save(tooMuch))
        .withMessageContaining(process.id().toString())
        .withMessageContaining("1048577");
    assertThat(store.queries().find(process.id())).contains(process);
    save(fits);
    assertThat(store.queries().find(process.id()).orElseThrow().lastSeq()).isEqualTo(2);

    StoredProcess other =
        TestProcesses.process(
            TestProcesses.TYPE, "q", "RUNNING", most + " ", Optional.empty(), store.now());
    assertThatIllegalArgumentException().isThrownBy(() -> start(other));
    assertThat(store.queries().find(other.id())).isEmpty();
  }

  /** Frameworks and the driver's withTransaction look for the label. */
  @Test
  void aTransactionThatLocksALockedProcessGetsTheLabelToRunAgain() {
    StoredProcess process = started("p");
    try (ClientSession holder = database.begin();
        ClientSession other = database.begin()) {
      assertThat(store.processes().lock(holder, process.id())).isPresent();

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> store.processes().lock(other, process.id()))
          .matches(
              failed -> failed.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
    }
  }

  /** Twice within a millisecond, with the same time: still a write that others collide with. */
  @Test
  void aLockIsAWriteEachTime() {
    StoredProcess process = started("p");
    store
        .transactions()
        .run(
            session -> {
              assertThat(store.processes().lock(session, process.id())).isPresent();
              assertThat(store.processes().lock(session, process.id())).isPresent();
            });

    BsonDocument document =
        database.collection(Names.PROCESS).find(ProcessFilters.id(process.id())).first();
    assertThat(document).isNotNull();
    assertThat(document.getNumber(ProcessDocument.LOCKS).longValue()).isEqualTo(2);
  }

  @Test
  void whatAProcessDoesNotHaveIsNotThere() {
    StoredProcess process =
        TestProcesses.process(
            TestProcesses.TYPE, "p", "RUNNING", "{}", Optional.of(store.now()), store.now());
    assertThat(start(process)).isEmpty();
    save(
        new StoredProcess(
            process.identity(),
            new ProcessSummary("FAILED", false, false, "", 0, Optional.empty(), Optional.empty()),
            "{}",
            "{}",
            Optional.empty(),
            2,
            process.identity().createdAt().plusMillis(1)));

    BsonDocument document =
        database.collection(Names.PROCESS).find(ProcessFilters.id(process.id())).first();

    assertThat(document)
        .isNotNull()
        .doesNotContainKeys(
            ProcessDocument.DUE_AT, ProcessDocument.HAS_KEY, ProcessDocument.FAILURE)
        .containsKey(ProcessDocument.ENDED_AT);
  }

  @Test
  void aPurgeMayUseSeveralTransactions() {
    for (int i = 0; i < 230; i++) {
      StoredProcess process =
          TestProcesses.process(
              TestProcesses.TYPE, "p-" + i, "SUCCEEDED", "{}", Optional.empty(), store.now());
      assertThat(start(process)).isEmpty();
    }
    database.advance(Duration.ofDays(8));

    assertThat(store.purge(Duration.ofDays(7), 210)).isEqualTo(210);
    assertThat(store.purge(Duration.ofDays(7), 1_000)).isEqualTo(20);
    assertThat(database.collection(Names.PROCESS_LOG).countDocuments()).isZero();
  }

  private static StoredProcess started(String key) {
    StoredProcess process = TestProcesses.process(key, store.now());
    assertThat(start(process)).isEmpty();
    return process;
  }

  private static Optional<UUID> start(StoredProcess process) {
    return store
        .transactions()
        .<Optional<UUID>, RuntimeException>call(
            session -> store.processes().start(session, process, TestProcesses.log(process)));
  }

  private static void save(StoredProcess process) {
    store
        .transactions()
        .run(
            session -> {
              assertThat(store.processes().lock(session, process.id())).isPresent();
              store.processes().save(session, process, TestProcesses.log(process));
            });
  }
}
