package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.Explained;
import io.postroad.mongodb.MongoInboxStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.servers.MongoServer;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxStore.Entered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the inbox does on MongoDB, beyond its contract. */
class MongoInboxStoreTest {
  private static final InboxEntry ENTRY = entry("message-1", "customer-1");

  private static TestDatabase database;
  private static MongoInboxStore inbox;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated("inbox");
    inbox = database.openInbox();
  }

  @BeforeEach
  void empty() {
    database.reset();
  }

  @AfterAll
  static void close() {
    inbox.close();
    database.close();
  }

  @Test
  void whoMeetsAnOpenTransactionIsToldToRunAgain() {
    try (ClientSession first = begin();
        ClientSession second = begin()) {
      assertThat(inbox.enter(first, ENTRY)).isEqualTo(Entered.NEW);

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> inbox.enter(second, ENTRY))
          .matches(MongoErrors::isTransient);
      first.commitTransaction();
    }
    assertThat(enter(ENTRY)).isEqualTo(Entered.DUPLICATE);
  }

  @Test
  void whoBeganBeforeAnotherCommittedIsToldToRunAgain() {
    try (ClientSession first = begin();
        ClientSession second = begin()) {
      assertThat(inbox.enter(second, entry("message-2", "customer-2"))).isEqualTo(Entered.NEW);
      assertThat(inbox.enter(first, ENTRY)).isEqualTo(Entered.NEW);
      first.commitTransaction();

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> inbox.enter(second, ENTRY))
          .matches(MongoErrors::isTransient);
    }
  }

  @Test
  void writingDownTwiceThatAMessageWaitsIsOnce() {
    UUID retryId = MessageIds.next();
    for (int i = 0; i < 2; i++) {
      inbox.transactions().run(session -> inbox.waits(session, ENTRY, retryId));
    }

    assertThat(inbox.waiting(Duration.ZERO, Optional.empty(), 10)).hasSize(1);
  }

  /** Another node has purged the old entry meanwhile, and the message has come again. */
  @Test
  void aPurgeLeavesAnEntryThatIsNewerThanTheOneItFound() {
    database.collection(Names.INBOX).insertOne(inboxDocument(ENTRY.messageId(), "billing", 0));
    CommandHook hook = new CommandHook();
    try (MongoClient client =
            MongoClients.create(
                MongoClientSettings.builder()
                    .applyConnectionString(
                        new ConnectionString(MongoServer.shared().connectionString()))
                    .addCommandListener(hook)
                    .build());
        MongoInboxStore slow = MongoInboxStore.open(client, database.options())) {
      hook.before(
          "delete",
          Names.INBOX,
          () -> {
            assertThat(inbox.purge(Duration.ofDays(1), 10)).isEqualTo(1);
            assertThat(enter(ENTRY)).isEqualTo(Entered.NEW);
          });

      assertThat(slow.purge(Duration.ofDays(1), 10)).isZero();
    }

    assertThat(enter(ENTRY)).isEqualTo(Entered.DUPLICATE);
  }

  @Test
  void purgesAsManyOfTheLongestIdsAsMayBeAskedFor() {
    String text = "\u4f60".repeat(InboxEntry.MAX_ID - 10);
    fill(
        Names.INBOX,
        InboxStore.MAX_ROWS,
        i -> inboxDocument(text + i, "\u4f60".repeat(InboxEntry.MAX_HANDLER), i));

    assertThat(inbox.purge(Duration.ofDays(1), InboxStore.MAX_ROWS)).isEqualTo(InboxStore.MAX_ROWS);
    assertThat(database.collection(Names.INBOX).countDocuments()).isZero();
  }

  @Test
  void everyQueryGoesByItsIndex() {
    fill(Names.INBOX, 20_000, i -> inboxDocument("message-" + i, "billing", i));
    fill(
        Names.INBOX_WAITING,
        20_000,
        i ->
            new BsonDocument("_id", MessageDocument.id(MessageIds.next()))
                .append("order", new BsonString("billing"))
                .append("key", new BsonString("customer-" + i % 10))
                .append("since", new BsonDateTime(i)));
    Explained explained =
        new Explained(database.client().getDatabase(database.options().database()));
    try (MongoClient client =
            MongoClients.create(
                MongoClientSettings.builder()
                    .applyConnectionString(
                        new ConnectionString(MongoServer.shared().connectionString()))
                    .addCommandListener(explained)
                    .build());
        MongoInboxStore watched = MongoInboxStore.open(client, database.options())) {
      explained.take();
      assertThat(watched.look(ENTRY)).isEqualTo(Entered.DUPLICATE);
      assertThat(watched.look(entry("new", "customer-2"))).isEqualTo(Entered.BEHIND);
      bounded(explained, 1, "inbox_waiting_key_idx");
      Entered behind =
          watched
              .transactions()
              .<Entered, RuntimeException>call(
                  session -> watched.enter(session, entry("new", "customer-2")));
      assertThat(behind).isEqualTo(Entered.BEHIND);
      bounded(explained, 1, "inbox_waiting_key_idx");
      UUID after = watched.waiting(Duration.ZERO, Optional.empty(), 100).get(99).retryId();
      assertThat(watched.waiting(Duration.ZERO, Optional.of(after), 100)).hasSize(100);
      bounded(explained, 100, "_id_");
      assertThat(watched.purge(Duration.ZERO, 100)).isEqualTo(100);
      bounded(explained, 100, "_id_", "inbox_processed_idx");
    }
  }

  @Test
  void withoutTransactionsItIsRefused() {
    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () ->
                MongoInboxStore.open(
                    database.client(),
                    database.options().withTransactionMode(MongoOptions.TransactionMode.NONE)))
        .withMessageContaining("MongoInboxStore needs transactions")
        .withMessageContaining("--replSet");
  }

  private static void bounded(Explained explained, int limit, String... indexes) {
    List<Explained.Plan> plans = explained.take();
    assertThat(plans)
        .isNotEmpty()
        .allSatisfy(
            plan -> {
              assertThat(plan.stages()).as(plan.command()).doesNotContain("SORT", "COLLSCAN");
              assertThat(plan.examined()).as(plan.command()).isLessThanOrEqualTo(limit + 1L);
            });
    assertThat(plans).flatExtracting(Explained.Plan::indexes).contains(indexes);
  }

  private static ClientSession begin() {
    ClientSession session = database.client().startSession();
    session.startTransaction(
        TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build());
    return session;
  }

  private static Entered enter(InboxEntry entry) {
    return inbox
        .transactions()
        .<Entered, RuntimeException>call(session -> inbox.enter(session, entry));
  }

  private static InboxEntry entry(String messageId, String key) {
    return new InboxEntry(messageId, "billing", Optional.of(key));
  }

  private interface Maker {
    BsonDocument make(int i);
  }

  private static void fill(String collection, int count, Maker maker) {
    for (int from = 0; from < count; from += 1_000) {
      List<BsonDocument> batch = new ArrayList<>();
      for (int i = from; i < from + 1_000; i++) {
        batch.add(maker.make(i));
      }
      database.collection(collection).insertMany(batch);
    }
  }

  private static BsonDocument inboxDocument(String messageId, String handler, long at) {
    return new BsonDocument(
            "_id",
            new BsonDocument("message_id", new BsonString(messageId))
                .append("handler", new BsonString(handler)))
        .append("processed_at", new BsonDateTime(at));
  }
}
