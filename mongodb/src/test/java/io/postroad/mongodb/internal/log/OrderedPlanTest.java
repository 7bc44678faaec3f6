package io.postroad.mongodb.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoDatabase;
import io.postroad.message.Message;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.queue.DestinationIndex;
import io.postroad.spi.Claim;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every query that a verb really sends, explained at 100,000 messages of each kind: by index,
 * sorted by it, and looking at no more than what it returns.
 */
@Timeout(300)
final class OrderedPlanTest {
  private static final int MANY = 100_000;
  private static final int LIMIT = 100;
  private static final int PARKED = 1_000_000;
  private static final Duration LEASE = Duration.ofHours(1);

  /** As many documents as there are lanes and nodes. */
  private static final Set<String> SMALL = Set.of(Names.LANE, Names.NODE);

  private static final Set<String> QUERIES =
      Set.of("find", "aggregate", "findAndModify", "update", "delete");

  private static final CommandHook HOOK = new CommandHook();
  private static final OrderedDatabase DATABASE = OrderedDatabase.fresh("plans", HOOK);
  private static MongoOrderedStore store;
  private static LaneLease lease;

  /** Of the lane with keys that are set aside, and nothing else. */
  private static LaneLease lane0;

  @BeforeAll
  static void fill() {
    DATABASE.reset(2);
    store = DATABASE.open();
    BsonDateTime now = new BsonDateTime(Instant.now().minusSeconds(60).toEpochMilli());
    fill(Names.LOG, i -> LogDocument.write(message(), LogIds.id(1, 3L * i + 1), now));
    fill(
        Names.HELD,
        i ->
            LogDocument.write(message(), LogIds.id(1, 3L * i + 2), now)
                .append(BlockedDocument.KEY, key(i % 1_000))
                .append(BlockedDocument.STATUS, new BsonString("PENDING"))
                .append(BlockedDocument.ATTEMPTS, new BsonInt32(1)));
    fill(
        Names.HELD_KEY,
        i ->
            BsonDocument.parse("{lane: 1, parked: false}")
                .append(MessageDocument.ID, key(i))
                .append(BlockedLines.DUE_AT, now));
    // Parked keys, each with a dead letter and nine that wait behind it.
    fill(
        Names.HELD,
        i -> {
          BsonDocument held =
              LogDocument.write(message(), LogIds.id(1, 500_000L + i), now)
                  .append(BlockedDocument.KEY, key(PARKED + i / 10))
                  .append(
                      BlockedDocument.STATUS, new BsonString(i % 10 == 0 ? "FAILED" : "PENDING"))
                  .append(BlockedDocument.ATTEMPTS, new BsonInt32(1));
          return i % 10 == 0 ? held.append(BlockedDocument.SETTLED_AT, now) : held;
        });
    fill(
        Names.HELD_KEY,
        i ->
            BsonDocument.parse("{lane: 1, parked: true}")
                .append(MessageDocument.ID, key(PARKED + i))
                .append(BlockedLines.PARKED_BY, LogIds.id(1, 500_000L + 10L * i))
                .append(BlockedLines.PARKED_SINCE, now)
                .append(BlockedLines.DUE_AT, now));
    // Keys of three destinations that are down, in a lane of their own.
    fill(
        Names.HELD,
        i ->
            LogDocument.write(message(), LogIds.id(0, i + 1L), now)
                .append(BlockedDocument.KEY, asideKey(i))
                .append(BlockedDocument.STATUS, new BsonString("PENDING"))
                .append(BlockedDocument.ATTEMPTS, new BsonInt32(0)));
    fill(
        Names.HELD_KEY,
        i ->
            BsonDocument.parse("{lane: 0, parked: false}")
                .append(MessageDocument.ID, asideKey(i))
                .append(BlockedLines.DUE_AT, DestinationIndex.DUE_AT)
                .append(BlockedLines.ASIDE_AT, new BsonDateTime(now.getValue() + i)));
    fill(
        Names.SCHEDULED,
        i ->
            MessageDocument.write(message(), now)
                .append(Schedule.LANE, new BsonInt32(1))
                .append(Schedule.NOT_BEFORE, now)
                .append(Schedule.TURN, new BsonInt64(i)));
    DATABASE
        .collection(Names.COUNTER)
        .updateOne(
            BsonDocument.parse("{_id: 1}"),
            BsonDocument.parse("{$set: {seq: {$numberLong: '700000'}}}"));
    lease = store.lanes().take(1, "node", LEASE).orElseThrow();
    lane0 = store.lanes().take(0, "node", LEASE).orElseThrow();
  }

  @AfterAll
  static void drop() {
    store.close();
    DATABASE.close();
  }

  @Test
  void read() {
    assertPlans(() -> store.log().read(lease, lease.position(), LIMIT));
  }

  /** From the middle, with what is missing as single sequence numbers and as ranges. */
  @Test
  void readWithGaps() {
    // Above what other tests have read, whose missing sequence numbers are closed by now.
    LogPosition position = LogPosition.upTo(30_001);
    for (long sequence = 30_004; sequence < 30_600; sequence += 3) {
      position = position.after(sequence);
    }
    LogPosition from = position.after(150_000).after(150_100).after(200_000);
    assertThat(from.gaps().ranges()).hasSizeGreaterThan(200);

    assertPlans(
        () -> assertThat(store.log().read(lease, from, LIMIT).entries()).hasSizeGreaterThan(50));
  }

  @Test
  void holdingMessagesBack() {
    LaneBatch batch = store.log().read(lease, lease.position(), LIMIT);
    List<Settlement> held =
        batch.entries().stream()
            .<Settlement>map(entry -> new Settlement.Dead(entry.claim(), "dead"))
            .toList();

    assertPlans(() -> store.log().advance(lease, batch.end(), held));
  }

  @Test
  void takingAndSettlingHeldMessages() {
    assertPlans(
        () -> {
          List<Claim> claims = store.blockedMessages().take(lease, LIMIT);
          assertThat(claims).hasSize(LIMIT);
          List<Settlement> settlements = new ArrayList<>();
          for (Claim claim : claims) {
            settlements.add(
                settlements.size() % 2 == 0
                    ? new Settlement.Delivered(claim)
                    : new Settlement.Retry(claim, Duration.ofHours(1), "again"));
          }
          store.blockedMessages().settle(lease, settlements);
        });
  }

  @Test
  void admittingScheduledMessages() {
    assertPlans(() -> assertThat(store.log().admitDue(lease, LIMIT)).isEqualTo(LIMIT));
  }

  @Test
  void owningALane() {
    assertPlans(
        () -> {
          lease = store.lanes().take(1, "node", LEASE).orElseThrow();
          store.lanes().renew(lease, LEASE);
          store.log().advance(lease, lease.position(), List.of());
          store.lanes().heartbeat("node", LEASE);
        });
  }

  @Test
  void purgingMessages() {
    store.log().advance(lease, LogPosition.upTo(3 * LIMIT), List.of());

    assertPlans(() -> store.purge(Duration.ofSeconds(1), LIMIT));
  }

  @Test
  void findingAMessage() {
    assertPlans(() -> assertThat(store.find(message().id())).isEmpty());
  }

  @Test
  void listingDeadLetters() {
    DeadLetterStore letters = store.deadLetters();
    DeadLetter.Mark mark = letters.list(DeadLetterFilter.all(), Optional.empty(), 10).get(9).mark();

    assertPlans(
        () ->
            assertThat(letters.list(DeadLetterFilter.all(), Optional.of(mark), LIMIT))
                .hasSize(LIMIT));
    assertPlans(() -> assertThat(letters.find(message().id())).isEmpty());
  }

  @Test
  void decidingAboutDeadLetters() {
    Decision decision = new Decision("on-call", "topic was created");
    List<UUID> ids =
        store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 90).stream()
            .map(DeadLetter::id)
            .toList();

    assertPlans(() -> store.deadLetters().replay(ids.subList(0, 30), decision));
    assertPlans(() -> store.blockedKeys().skip(ids.subList(30, 60), decision));
    assertPlans(() -> store.deadLetters().discard(ids.subList(60, 90), decision));
    assertPlans(() -> store.blockedMessages().decisions(lease));
  }

  @Test
  void listingAndReleasingParkedKeys() {
    List<BlockedKey> page = store.blockedKeys().list(Optional.empty(), 10);
    OrderKey last = page.get(9).key();

    assertPlans(
        () -> assertThat(store.blockedKeys().list(Optional.of(last), LIMIT)).hasSize(LIMIT));
    assertPlans(
        () ->
            assertThat(
                    store.blockedKeys().release(last, new Decision("on-call", "topic was created")))
                .isTrue());
  }

  @Test
  void countingWhatIsParkedStopsAtTheLimit() {
    assertPlans(
        3 * Backlog.COUNT_LIMIT,
        () -> {
          assertThat(store.blockedKeys().summary().keys()).isEqualTo(Backlog.COUNT_LIMIT);
          assertThat(store.blockedKeys().summary().messages()).isEqualTo(Backlog.COUNT_LIMIT);
        });
  }

  @Test
  void destinationsThatAreWaitedFor() {
    Set<String> indexes =
        assertPlans(
            1,
            () ->
                assertThat(store.blockedMessages().destinations(lane0))
                    .containsExactlyInAnyOrder("down-0", "down-1", "down-2"));

    assertThat(indexes)
        .contains("outbox_held_key_aside_idx")
        .doesNotContain("outbox_held_key_due_idx");
  }

  @Test
  void openingADestination() {
    Set<String> indexes =
        assertPlans(
            LIMIT,
            () -> assertThat(store.blockedMessages().open(lane0, "down-1", LIMIT)).hasSize(LIMIT));

    assertThat(indexes).contains("outbox_held_key_aside_idx");
    List<Settlement> aside =
        store.blockedMessages().take(lane0, LIMIT).stream()
            .<Settlement>map(claim -> new Settlement.Blocked(claim, "still down"))
            .toList();
    assertPlans(() -> store.blockedMessages().settle(lane0, aside));
  }

  /** They are not looked at by those who ask for what is not set aside. */
  @Test
  void keysSetAsideAreInNobodysWay() {
    assertPlans(
        LIMIT,
        () -> assertThat(store.blockedMessages().keys(lane0)).hasSizeLessThanOrEqualTo(LIMIT));
    assertPlans(LIMIT, () -> store.blockedMessages().take(lane0, LIMIT));
  }

  @Test
  void countingWhatIsSetAsideStopsAtTheLimit() {
    assertPlans(
        Backlog.COUNT_LIMIT,
        () ->
            assertThat(store.blocked())
                .hasSize(3)
                .extracting(BlockedDestination::messages)
                .containsOnly((long) Backlog.COUNT_LIMIT));
  }

  private static void assertPlans(Runnable verb) {
    assertPlans(2 * LIMIT, verb);
  }

  /** Answers the indexes that were used. */
  private static Set<String> assertPlans(int most, Runnable verb) {
    HOOK.forget();
    verb.run();
    List<BsonDocument> queries =
        HOOK.commands().stream()
            .filter(command -> QUERIES.contains(command.getFirstKey()))
            .filter(command -> command.isString(command.getFirstKey()))
            .toList();
    assertThat(queries).isNotEmpty();
    Set<String> indexes = new HashSet<>();
    queries.forEach(query -> indexes.addAll(assertPlan(query, most)));
    return indexes;
  }

  private static Set<String> assertPlan(BsonDocument query, int most) {
    String collection = query.getString(query.getFirstKey()).getValue();
    BsonDocument plan = explain(query);
    String text = query.getFirstKey() + " of " + collection + ": " + plan.toJson();
    List<String> stages = new ArrayList<>();
    List<Long> examined = new ArrayList<>();
    Set<String> indexes = new HashSet<>();
    walk(
        plan,
        document -> {
          if (document.isString("stage")) {
            stages.add(document.getString("stage").getValue());
          }
          if (document.isString("indexName")) {
            indexes.add(document.getString("indexName").getValue());
          }
          if (document.isNumber("totalDocsExamined")) {
            examined.add(document.getNumber("totalDocsExamined").longValue());
          }
          if (document.isNumber("collectionScans")) {
            assertThat(document.getNumber("collectionScans").intValue()).as(text).isZero();
          }
        });
    assertThat(examined).as(text).isNotEmpty().allMatch(count -> count <= most);
    assertThat(stages).as(text).doesNotContain("SORT");
    if (!SMALL.contains(collection)) {
      assertThat(stages).as(text).doesNotContain("COLLSCAN").isNotEmpty();
    }
    return indexes;
  }

  private static BsonDocument explain(BsonDocument query) {
    BsonDocument explained = new BsonDocument();
    query.forEach(explained::append);
    for (String field :
        List.of(
            "lsid",
            "$db",
            "$clusterTime",
            "txnNumber",
            "startTransaction",
            "autocommit",
            "readConcern",
            "writeConcern",
            "maxTimeMS")) {
      explained.remove(field);
    }
    for (String batch : List.of("updates", "deletes")) {
      if (explained.isArray(batch)) {
        BsonArray first = new BsonArray(explained.getArray(batch).subList(0, 1));
        explained.append(batch, first);
      }
    }
    MongoDatabase database =
        DATABASE.client().getDatabase(DATABASE.database().options().database());
    return database.runCommand(
        new BsonDocument("explain", explained)
            .append("verbosity", new BsonString("executionStats")),
        BsonDocument.class);
  }

  private static void walk(BsonValue value, Consumer<BsonDocument> visitor) {
    if (value.isDocument()) {
      visitor.accept(value.asDocument());
      value.asDocument().values().forEach(child -> walk(child, visitor));
    } else if (value.isArray()) {
      BsonArray array = value.asArray();
      array.forEach(child -> walk(child, visitor));
    }
  }

  private interface Maker {
    BsonDocument make(int i);
  }

  private static void fill(String collection, Maker maker) {
    List<BsonDocument> documents = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      documents.add(maker.make(i));
      if (documents.size() == 5_000) {
        DATABASE.collection(collection).withWriteConcern(WriteConcern.W1).insertMany(documents);
        documents.clear();
      }
    }
  }

  private static BsonDocument key(int i) {
    return BsonDocument.parse("{lane: 1, destination: 'orders'}")
        .append("name", new BsonString("key/" + i));
  }

  private static BsonDocument asideKey(int i) {
    return BsonDocument.parse("{lane: 0, destination: 'down-%d'}".formatted(i % 3))
        .append("name", new BsonString("key/" + i));
  }

  private static Message message() {
    return OrderedDatabase.message("k");
  }
}
