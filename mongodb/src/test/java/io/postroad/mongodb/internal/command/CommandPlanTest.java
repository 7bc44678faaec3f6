package io.postroad.mongodb.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import io.postroad.message.MessageIds;
import io.postroad.mongodb.Explained;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.TestCommands;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.TestDatabase;
import io.postroad.servers.MongoServer;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.StoredCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** With 100,000 commands of another type due, and as many finished, each verb looks at few. */
class CommandPlanTest {
  private static final int OTHERS = 100_000;
  private static final int HERE = 1_000;
  private static final int LIMIT = 100;
  private static final long LONG_AGO = 1_700_000_000_000L;
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Optional<Duration> MINUTE = Optional.of(Duration.ofMinutes(1));
  private static final Optional<Duration> YEARS = Optional.of(Duration.ofDays(36_500));

  private static TestDatabase database;
  private static Explained explained;
  private static MongoClient client;
  private static MongoCommandStore store;

  @BeforeAll
  static void fill() {
    database = TestDatabase.migrated("command_plans");
    fill(OTHERS, i -> due("Other", "other-" + i, LONG_AGO + i, YEARS));
    fill(OTHERS, i -> finished("finished-" + i, LONG_AGO + i));
    fill(HERE, i -> due(TestCommands.TYPE, "here-" + i, LONG_AGO + OTHERS + i, Optional.empty()));
    fill(HERE, i -> due("Late", "late-" + i, LONG_AGO + i, MINUTE));
    explained = new Explained(database.client().getDatabase(database.options().database()));
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(
                    new ConnectionString(MongoServer.shared().connectionString()))
                .addCommandListener(explained)
                .build());
    store =
        MongoCommandStore.open(
            client, database.options().withWakeUpMode(MongoOptions.WakeUpMode.LOCAL));
  }

  @AfterAll
  static void close() {
    store.close();
    client.close();
    database.close();
  }

  @Test
  void claimOfOneTypeAndWhatBecomesOfIt() {
    explained.take();
    List<CommandClaim> claims = store.claim("node", Set.of(TestCommands.TYPE), LIMIT, LEASE);
    assertThat(claims).hasSize(LIMIT);
    assertThat(bounded(LIMIT)).contains("command_due_idx", "_id_");

    store
        .transactions()
        .run(
            session -> {
              assertThat(store.open(session, claims.get(0), Duration.ofDays(365)))
                  .isEqualTo(Opening.HELD);
              assertThat(store.finish(session, claims.get(0), TestCommands.COMPLETED)).isTrue();
            });
    assertThat(store.retry(claims.get(1), Duration.ZERO, "again")).isTrue();
    assertThat(bounded(1)).containsOnly("_id_");
    assertThat(store.release(claims)).hasSize(LIMIT - 2);
    assertThat(bounded(LIMIT)).containsOnly("_id_");
  }

  @Test
  void claimOfManyTypesMergesThemInOrder() {
    Set<String> types =
        IntStream.range(0, 99).mapToObj(i -> "Missing" + i).collect(Collectors.toSet());
    types.add(TestCommands.TYPE);
    explained.take();

    assertThat(store.claim("node", types, LIMIT, LEASE)).hasSize(LIMIT);

    assertThat(bounded(LIMIT + types.size())).contains("command_due_idx", "_id_");
  }

  @Test
  void expire() {
    explained.take();
    List<StoredCommand> expired =
        store
            .transactions()
            .<List<StoredCommand>, RuntimeException>call(
                session ->
                    store.expire(session, CommandOutcome.timedOut("late"), LIMIT, List.of()));

    assertThat(expired).hasSize(LIMIT);
    assertThat(bounded(LIMIT)).contains("command_expires_idx", "_id_");
  }

  @Test
  void purge() {
    explained.take();

    assertThat(store.purge(Duration.ofDays(1), LIMIT)).isEqualTo(LIMIT);

    assertThat(bounded(LIMIT)).contains("command_finished_idx", "_id_");
  }

  @Test
  void acceptAndFind() {
    explained.take();
    boolean isNew =
        store
            .transactions()
            .<Boolean, RuntimeException>call(
                session -> store.accept(session, TestCommands.command("other-7")).isNew());
    assertThat(isNew).isFalse();
    UUID id = store.findByKey("other-7").orElseThrow().id();
    assertThat(bounded(1)).containsOnly("command_key_idx");

    assertThat(store.find(id)).isPresent();
    store
        .transactions()
        .run(session -> assertThat(store.cancel(session, id, TestCommands.COMPLETED)).isPresent());
    assertThat(bounded(1)).containsOnly("_id_");
  }

  @Test
  void finished() {
    List<UUID> ids =
        IntStream.range(0, LIMIT)
            .mapToObj(i -> store.findByKey("finished-" + (OTHERS - 1 - i)).orElseThrow().id())
            .toList();
    explained.take();

    assertThat(store.finished(ids)).hasSize(LIMIT);

    assertThat(bounded(LIMIT)).containsOnly("_id_");
  }

  private static Set<String> bounded(int limit) {
    List<Explained.Plan> plans = explained.take();
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

  private static void fill(int count, IntFunction<BsonDocument> maker) {
    MongoCollection<BsonDocument> commands = database.collection(Names.COMMAND);
    List<BsonDocument> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      documents.add(maker.apply(i));
    }
    commands.insertMany(documents, new InsertManyOptions().ordered(false));
  }

  private static BsonDocument due(String type, String key, long at, Optional<Duration> timeout) {
    return CommandDocument.fresh(
        TestCommands.command(MessageIds.next(), type, key, timeout), new BsonDateTime(at));
  }

  private static BsonDocument finished(String key, long at) {
    BsonDocument command = due(TestCommands.TYPE, key, at, MINUTE);
    command.remove(CommandDocument.AVAILABLE_AT);
    command.remove(CommandDocument.EXPIRES_AT);
    return command
        .append(CommandDocument.STATUS, new BsonString("COMPLETED"))
        .append(CommandDocument.OUTCOME_CODE, new BsonString(CommandOutcome.COMPLETED))
        .append(CommandDocument.OUTCOME_DATA, new BsonString("{}"))
        .append(CommandDocument.FINISHED_AT, new BsonDateTime(at));
  }
}
