package io.postroad.mongodb.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.mongodb.Explained;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.append.DedupKeys;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.TestDatabase;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.Settlement;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every query of the queue goes by the index it was made for, and looks at no more documents than
 * it needs, with 100,000 messages due, as many set aside, 20,000 delivered and 20,000 keys past
 * their window.
 */
class PlanTest {
  private static final int DUE = 100_000;
  private static final int SETTLED = 20_000;
  private static final int LIMIT = 100;

  private static TestDatabase database;
  private static Explained explained;
  private static MongoClient client;
  private static MongoCompetingStore store;

  @BeforeAll
  static void fill() {
    database = TestDatabase.migrated("plans");
    long now = database.open().now().toEpochMilli();
    fill(Names.OUTBOX, DUE, i -> message(now - DUE + i));
    fill(Names.OUTBOX, DUE, i -> aside(i, now - DUE + i));
    fill(Names.OUTBOX, SETTLED, i -> settled(now - SETTLED + i, QueueDocument.DONE));
    fill(Names.OUTBOX, SETTLED, i -> settled(now - SETTLED + i, QueueDocument.DEAD));
    fill(Names.DEAD, SETTLED, i -> settled(now - SETTLED + i, QueueDocument.DEAD));
    fill(Names.AUDIT, SETTLED, i -> decided(i, now - SETTLED + i));
    fill(Names.DEDUP, SETTLED, i -> key(i, now - SETTLED + i));
    explained = new Explained(database.client().getDatabase(database.options().database()));
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(
                    new ConnectionString(MongoServer.shared().connectionString()))
                .addCommandListener(explained)
                .build());
    // Without hints, which are sent whenever they are.
    store =
        MongoCompetingStore.open(
            client, database.options().withWakeUpMode(MongoOptions.WakeUpMode.LOCAL));
  }

  @AfterAll
  static void close() {
    client.close();
    database.close();
  }

  @Test
  void aClaimOfOneGoesByDueTime() {
    List<Explained.Plan> plans = plans(1, store -> claim(1));

    assertThat(plans).hasSize(1);
    assertThat(plans.get(0).indexes()).containsExactly("outbox_due_idx");
  }

  @Test
  void aClaimOfManyGoesByDueTimeOnceAndThenById() {
    List<Explained.Plan> plans = plans(LIMIT, store -> claim(LIMIT));

    assertThat(plans)
        .extracting(plan -> List.copyOf(plan.indexes()))
        .containsExactly(List.of("outbox_due_idx"), List.of("_id_"), List.of("_id_"));
  }

  @Test
  void aSettleOfEachKindAndAnExtensionGoById() {
    List<Claim> claims = claim(LIMIT);
    List<Settlement> settlements = new ArrayList<>();
    for (int i = 0; i < claims.size(); i += 5) {
      settlements.add(new Settlement.Delivered(claims.get(i)));
      settlements.add(new Settlement.Retry(claims.get(i + 1), Duration.ofMinutes(1), "again"));
      settlements.add(new Settlement.Release(claims.get(i + 2), Duration.ofMinutes(1), "not now"));
      settlements.add(new Settlement.Dead(claims.get(i + 3), "dead"));
      settlements.add(new Settlement.Blocked(claims.get(i + 4), "down"));
    }
    explained.take();

    List<Explained.Plan> extension =
        plans(LIMIT, store -> store.extend(claims, Duration.ofMinutes(5)));
    List<Explained.Plan> settle = plans(LIMIT, store -> store.settle(settlements));
    List<Explained.Plan> rejected = plans(LIMIT, store -> store.settle(settlements));

    assertThat(extension).hasSize(1);
    assertThat(settle).as("one for each kind").hasSize(5);
    assertThat(rejected).as("and one to see which were rejected").hasSize(6);
    assertThat(List.of(extension, settle, rejected))
        .allSatisfy(
            plans ->
                assertThat(plans)
                    .allSatisfy(plan -> assertThat(plan.indexes()).containsExactly("_id_")));
  }

  @Test
  void aPurgeGoesByTimeOfDeliveryAndByTheEndOfWindows() {
    List<Explained.Plan> plans = plans(LIMIT, store -> store.purge(Duration.ofSeconds(1), LIMIT));

    assertThat(plans)
        .extracting(plan -> List.copyOf(plan.indexes()))
        .containsExactly(
            List.of("outbox_settled_idx"),
            List.of("_id_"),
            List.of("outbox_dedup_expires_idx"),
            List.of("_id_"));
  }

  @Test
  void theBacklogIsCountedInIndexesUpToItsLimit() {
    List<Explained.Plan> plans = plans(10_000, MongoCompetingStore::backlog);

    assertThat(plans)
        .flatExtracting(Explained.Plan::indexes)
        .contains("outbox_due_idx", "outbox_settled_idx");
  }

  @Test
  void destinationsThatAreWaitedForAreLookedUpOneByOne() {
    List<Explained.Plan> plans =
        plans(
            1,
            store ->
                assertThat(store.blockedDestinations()).contains("down-0", "down-1", "down-2"));

    assertThat(plans)
        .hasSizeBetween(4, 5)
        .allSatisfy(plan -> assertThat(plan.indexes()).containsExactly("outbox_aside_idx"));
  }

  @Test
  void aDestinationIsOpenedBySinceWhenAndThenById() {
    List<Explained.Plan> plans =
        plans(LIMIT, store -> assertThat(store.open("down-1", LIMIT)).isEqualTo(LIMIT));

    assertThat(plans)
        .extracting(plan -> List.copyOf(plan.indexes()))
        .containsExactly(List.of("outbox_aside_idx"), List.of("_id_"));
  }

  @Test
  void whatIsSetAsideIsCountedUpToTheLimit() {
    List<Explained.Plan> plans =
        plans(
            Backlog.COUNT_LIMIT,
            store ->
                assertThat(store.blocked())
                    .filteredOn(aside -> aside.destination().startsWith("down"))
                    .extracting(BlockedDestination::messages)
                    .containsOnly((long) Backlog.COUNT_LIMIT));

    assertThat(plans)
        .filteredOn(plan -> !plan.command().contains("$documents"))
        .allSatisfy(plan -> assertThat(plan.indexes()).containsExactly("outbox_aside_idx"));
  }

  @Test
  void pausesAreListedByName() {
    List<Explained.Plan> plans = plans(LIMIT, store -> store.pauses().list());

    assertThat(plans).hasSize(1);
    assertThat(plans.get(0).indexes()).containsExactly("_id_");
  }

  @Test
  void aListOfDeadLettersGoesByTheTimeOfTheirDeathFromItsMark() {
    DeadLetterStore letters = store.deadLetters();
    DeadLetter.Mark mark = letters.list(DeadLetterFilter.all(), Optional.empty(), 10).get(9).mark();

    List<Explained.Plan> plans =
        plans(LIMIT, store -> letters.list(DeadLetterFilter.all(), Optional.of(mark), LIMIT));

    assertThat(plans)
        .flatExtracting(Explained.Plan::indexes)
        .contains("outbox_settled_idx", "outbox_dead_settled_idx");
  }

  @Test
  void aDecisionGoesById() {
    DeadLetterStore letters = store.deadLetters();
    List<UUID> ids =
        letters.list(DeadLetterFilter.all(), Optional.empty(), LIMIT).stream()
            .map(DeadLetter::id)
            .toList();
    Decision decision = new Decision("on-call", "topic was created");

    List<Explained.Plan> replay =
        plans(LIMIT, store -> letters.replay(ids.subList(0, 50), decision));
    List<Explained.Plan> discard = plans(LIMIT, store -> letters.discard(ids, decision));

    assertThat(List.of(replay, discard))
        .allSatisfy(
            plans ->
                assertThat(plans)
                    .allSatisfy(plan -> assertThat(plan.indexes()).containsExactly("_id_")));
  }

  @Test
  void theAuditGoesByTimeOrBySubject() {
    DeadLetterStore letters = store.deadLetters();

    List<Explained.Plan> all = plans(LIMIT, store -> letters.audit(Optional.empty(), LIMIT));
    List<Explained.Plan> one =
        plans(LIMIT, store -> letters.audit(Optional.of("subject-7"), LIMIT));
    List<Explained.Plan> purge =
        plans(LIMIT, store -> letters.purgeAudit(Instant.ofEpochMilli(Long.MAX_VALUE), LIMIT));

    assertThat(all).flatExtracting(Explained.Plan::indexes).containsExactly("outbox_audit_at_idx");
    assertThat(one)
        .flatExtracting(Explained.Plan::indexes)
        .containsExactly("outbox_audit_subject_idx");
    assertThat(purge)
        .flatExtracting(Explained.Plan::indexes)
        .containsExactly("outbox_audit_at_idx", "_id_");
  }

  private static List<Explained.Plan> plans(int limit, Consumer<MongoCompetingStore> verb) {
    explained.take();
    verb.accept(store);
    List<Explained.Plan> plans = explained.take();
    assertThat(plans)
        .isNotEmpty()
        .allSatisfy(
            plan -> {
              assertThat(plan.stages()).doesNotContain("SORT", "COLLSCAN");
              assertThat(plan.examined()).as(plan.command()).isLessThanOrEqualTo(limit + 1);
              assertThat(plan.keys()).as(plan.command()).isLessThanOrEqualTo(2L * limit + 1);
            });
    return plans;
  }

  private static List<Claim> claim(int limit) {
    List<Claim> claims = store.claim(new ClaimRequest("node", limit, Duration.ofHours(1)));
    assertThat(claims).hasSize(limit);
    return claims;
  }

  private interface Maker {
    BsonDocument make(int i);
  }

  private static void fill(String name, int count, Maker maker) {
    MongoCollection<BsonDocument> collection = database.collection(name);
    for (int from = 0; from < count; from += 10_000) {
      List<BsonDocument> batch = new ArrayList<>();
      for (int i = from; i < from + 10_000; i++) {
        batch.add(maker.make(i));
      }
      collection.insertMany(batch);
    }
  }

  private static BsonDocument message(long at) {
    return QueueDocument.fresh(
        Message.event("Counted").to("counts").json("{}").build(), new BsonDateTime(at));
  }

  private static BsonDocument aside(int i, long at) {
    return message(at)
        .append(MessageDocument.DESTINATION, new BsonString("down-" + i % 3))
        .append(QueueDocument.NEXT_RETRY_AT, DestinationIndex.DUE_AT)
        .append(QueueDocument.DUE_AT, DestinationIndex.DUE_AT)
        .append(QueueDocument.ASIDE_AT, new BsonDateTime(at));
  }

  private static BsonDocument settled(long at, String status) {
    BsonDocument document = message(at);
    document.remove(QueueDocument.DUE_AT);
    return document
        .append(QueueDocument.STATUS, new BsonString(status))
        .append(QueueDocument.SETTLED_AT, new BsonDateTime(at - 60_000));
  }

  private static BsonDocument decided(int i, long at) {
    return new BsonDocument("at", new BsonDateTime(at))
        .append("by", new BsonString("on-call"))
        .append("action", new BsonString("discard"))
        .append("subject", new BsonString("subject-" + i % 100))
        .append("reason", new BsonString("old"))
        .append("detail", new BsonString(""));
  }

  private static BsonDocument key(int i, long at) {
    return new BsonDocument(MessageDocument.ID, new BsonString("key-" + i))
        .append(DedupKeys.EXPIRES_AT, new BsonDateTime(at));
  }
}
