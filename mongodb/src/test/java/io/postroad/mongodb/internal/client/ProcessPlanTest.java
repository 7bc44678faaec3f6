package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.InsertManyOptions;
import io.postroad.message.MessageIds;
import io.postroad.mongodb.Explained;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.mongodb.TestProcesses;
import io.postroad.mongodb.internal.process.ProcessDocument;
import io.postroad.servers.MongoServer;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.StoredDefinition;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.spi.process.WaitingReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** With 100,000 processes that ended and 20,000 active ones, each verb looks at few. */
class ProcessPlanTest {
  private static final int ENDED = 100_000;
  private static final int ACTIVE = 20_000;
  private static final int RARE = 50;
  private static final int LIMIT = 100;
  private static final Instant LONG_AGO = Instant.ofEpochMilli(1_700_000_000_000L);

  private static TestDatabase database;
  private static Explained explained;
  private static MongoClient client;
  private static MongoProcessStore store;

  @BeforeAll
  static void fill() {
    database = TestDatabase.migrated("process_plans");
    fill("Other", "SUCCEEDED", ENDED, false);
    fill("Other", "RUNNING", ACTIVE, true);
    fill("Rare", "RUNNING", RARE, false);
    explained = new Explained(database.client().getDatabase(database.options().database()));
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(
                    new ConnectionString(MongoServer.shared().connectionString()))
                .addCommandListener(explained)
                .build());
    store = MongoProcessStore.open(client, database.options());
  }

  private static void fill(String type, String status, int count, boolean due) {
    List<BsonDocument> processes = new ArrayList<>();
    List<BsonDocument> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Instant at = LONG_AGO.plusMillis(i);
      StoredProcess process =
          TestProcesses.process(
              type, status + "-" + i, status, "{}", due ? Optional.of(at) : Optional.empty(), at);
      processes.add(ProcessDocument.fresh(process));
      TestProcesses.log(process).forEach(entry -> entries.add(ProcessDocument.write(entry)));
    }
    InsertManyOptions unordered = new InsertManyOptions().ordered(false);
    database.collection(Names.PROCESS).insertMany(processes, unordered);
    database.collection(Names.PROCESS_LOG).insertMany(entries, unordered);
  }

  @AfterAll
  static void close() {
    store.close();
    client.close();
    database.close();
  }

  @Test
  void startAndMove() {
    StoredProcess process = TestProcesses.process("new", store.now());
    explained.take();
    store
        .transactions()
        .run(session -> assertThat(store.processes().start(session, process, List.of())).isEmpty());
    assertThat(bounded(1)).containsOnly("process_instance_active_idx");

    store
        .transactions()
        .run(
            session -> {
              assertThat(store.processes().lock(session, process.id())).isPresent();
              StoredProcess next = TestProcesses.next(process, "{\"n\":1}");
              store.processes().save(session, next, TestProcesses.log(next));
            });
    assertThat(store.queries().find(process.id())).isPresent();
    store.processes().postpone(process.id(), Duration.ofSeconds(1));
    assertThat(bounded(1)).contains("_id_");

    assertThat(store.queries().log(process.id(), 0, LIMIT)).hasSize(1);
    assertThat(bounded(1)).containsOnly("process_log_seq_idx");
  }

  @Test
  void lockDue() {
    explained.take();
    store.transactions().run(session -> assertThat(store.processes().lockDue(session)).isPresent());

    assertThat(bounded(10)).containsOnly("process_instance_due_idx", "_id_");
  }

  @Test
  void listByStatusByKeyAndById() {
    explained.take();
    Set<String> active = Set.of("RUNNING", "COMPENSATING");
    assertThat(store.queries().list(ProcessFilter.all().withStatuses(active), LIMIT))
        .hasSize(LIMIT);
    assertThat(bounded(LIMIT)).containsOnly("process_instance_status_idx");

    assertThat(store.queries().list(ProcessFilter.all().withBusinessKey("SUCCEEDED-99999"), LIMIT))
        .hasSize(1);
    assertThat(bounded(1)).containsOnly("process_instance_key_idx");

    List<StoredProcess> page = store.queries().list(ProcessFilter.all(), LIMIT);
    ProcessFilter next = ProcessFilter.all().withAfter(page.get(LIMIT - 1).id());
    assertThat(store.queries().list(next, LIMIT)).hasSize(LIMIT);
    assertThat(bounded(LIMIT)).containsOnly("_id_");
  }

  @Test
  void countsReadNoDocument() {
    explained.take();
    assertThat(store.queries().activeByDefinition("Rare")).isEqualTo(Map.of("hash", (long) RARE));
    assertThat(bounded(RARE)).containsOnly("process_instance_definition_idx");

    assertThat(store.queries().counts()).containsKey("SUCCEEDED");
    List<Explained.Plan> plans = explained.take();
    assertThat(plans).hasSize(1);
    assertThat(plans.get(0).indexes()).containsOnly("process_instance_status_idx");
    assertThat(plans.get(0).examined()).as("documents").isZero();
  }

  @Test
  void purge() {
    store.definitions().keep(new StoredDefinition("Other", "newer", "{}"));
    explained.take();

    assertThat(store.purge(Duration.ofDays(1), LIMIT)).isEqualTo(LIMIT);

    List<Explained.Plan> plans =
        explained.take().stream()
            .filter(plan -> !plan.command().contains(Names.PROCESS_DEFINITION))
            .toList();
    assertThat(bounded(plans, LIMIT))
        .containsOnly(
            "process_instance_ended_idx",
            "process_log_seq_idx",
            "process_arrival_process_idx",
            "_id_");
  }

  @Test
  void waitingReplies() {
    WaitingReplies<ClientSession> waiting = store.waitingReplies().orElseThrow();
    StoredProcess process = TestProcesses.process("waits", store.now());
    store
        .transactions()
        .run(
            session -> {
              for (int i = 0; i < 500; i++) {
                waiting.add(session, new WaitingReply(MessageIds.next(), process.id(), "{}"));
              }
              waiting.add(session, new WaitingReply(process.id(), process.id(), "{}"));
            });
    explained.take();

    assertThat(waiting.processes(10, List.of())).hasSize(10);
    store.transactions().run(session -> assertThat(waiting.take(session, process.id())).hasSize(1));

    List<Explained.Plan> plans = explained.take();
    assertThat(plans)
        .allSatisfy(plan -> assertThat(plan.stages()).doesNotContain("SORT", "COLLSCAN"));
    assertThat(plans.stream().flatMap(plan -> plan.indexes().stream()))
        .contains("process_arrival_at_idx", "process_arrival_process_idx", "_id_");
  }

  private static Set<String> bounded(int limit) {
    return bounded(explained.take(), limit);
  }

  private static Set<String> bounded(List<Explained.Plan> plans, int limit) {
    assertThat(plans)
        .isNotEmpty()
        .allSatisfy(
            plan -> {
              assertThat(plan.stages()).as(plan.command()).doesNotContain("SORT", "COLLSCAN");
              assertThat(plan.examined()).as(plan.command()).isLessThanOrEqualTo(limit + 1L);
              assertThat(plan.keys()).as(plan.command()).isLessThanOrEqualTo(2L * limit + 5);
            });
    return plans.stream().flatMap(plan -> plan.indexes().stream()).collect(Collectors.toSet());
  }
}
