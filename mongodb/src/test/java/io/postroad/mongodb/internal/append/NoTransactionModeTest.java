package io.postroad.mongodb.internal.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.PageWriter;
import io.postroad.mongodb.Reconciler;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.ChildJvm;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.AppendResult;
import io.postroad.store.AppendResult.Appended;
import io.postroad.store.AppendResult.Duplicate;
import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A MongoDB without a replica set: refused, or declared and then repaired. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NoTransactionModeTest {
  private static final Duration WINDOW = Duration.ofHours(1);

  private final AtomicLong aheadMillis = new AtomicLong();
  private final CommandHook hook = new CommandHook();
  private MongoServer server;
  private MongoClient client;
  private MongoOptions options;
  private MongoCompetingStore store;

  @BeforeAll
  void start() {
    server =
        MongoServer.standalone(
            ServerOptions.defaults().withSetting("setParameter.enableTestCommands", "true"));
    server.start();
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .addCommandListener(hook)
                .build());
  }

  @BeforeEach
  void open() {
    options =
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase("loose"))
            .withSchemaMode(SchemaMode.MIGRATE)
            .withTransactionMode(MongoOptions.TransactionMode.NONE);
    store = MongoCompetingStore.open(client, options, aheadMillis::get);
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void aStandaloneServerIsRefusedWithBothWaysOut() {
    assertThatThrownBy(
            () ->
                MongoCompetingStore.open(
                    client, options.withTransactionMode(MongoOptions.TransactionMode.REQUIRED)))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("--replSet rs0")
        .hasMessageContaining("rs.initiate()")
        .hasMessageContaining("TransactionMode.NONE");
  }

  @Test
  void theStoreSaysThatItHasNoTransactions() {
    assertThat(store.transactionMode()).isEqualTo(MongoOptions.TransactionMode.NONE);
  }

  @Test
  void anAppendIsStoredAtOnceAndGoesItsWay() {
    Message message = message("a").build();

    assertThat(append(message)).isEqualTo(new Appended(message.id()));
    List<Claim> claims = store.claim(new ClaimRequest("node", 10, Duration.ofMinutes(1)));

    assertThat(claims).extracting(Claim::message).containsExactly(message);
    assertThat(store.settle(List.of(new Settlement.Delivered(claims.get(0))))).isEmpty();
  }

  @Test
  void aSettlementInASessionWithoutATransactionIsThereAtOnceUnderTheFence() {
    Message message = message("a").build();
    append(message);
    Claim claim = store.claim(new ClaimRequest("node", 1, Duration.ofMinutes(1))).get(0);

    try (ClientSession session = client.startSession()) {
      assertThat(store.settle(session, new Settlement.Delivered(claim))).isTrue();
      assertThat(store.find(message.id()).orElseThrow().status())
          .isEqualTo(MessageStatus.DISPATCHED);
      assertThat(store.settle(session, new Settlement.Delivered(claim))).isFalse();
    }
  }

  @Test
  void aUnitCannotBeRolledBackAndSaysSo() {
    Message message = message("a").build();

    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        outer -> {
                          store.append(outer, List.of(message), WINDOW);
                          assertThatThrownBy(
                                  () ->
                                      store
                                          .transactions()
                                          .run(
                                              inner -> {
                                                throw new IllegalStateException("inner");
                                              }))
                              .isInstanceOf(IllegalStateException.class);
                        }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("without transactions nothing can be rolled back");
    assertThat(store.find(message.id())).isPresent();
  }

  @Test
  void aDeduplicationKeyCountsForItsWindow() {
    Message first = message("a").deduplicationKey("k").build();
    Message second = message("a").deduplicationKey("k").build();
    Message third = message("a").deduplicationKey("k").build();

    assertThat(append(first)).isEqualTo(new Appended(first.id()));
    assertThat(append(second)).isEqualTo(new Duplicate(first.id()));
    assertThat(append(first)).isEqualTo(new Duplicate(first.id()));
    aheadMillis.addAndGet(WINDOW.plusSeconds(1).toMillis());
    assertThat(append(third)).isEqualTo(new Appended(third.id()));
  }

  /** A crash between key and message: no answer may say that the message is there. */
  @Test
  void aKeyWhoseMessageWasNeverStoredAnswersNoDuplicateAndIsFreeAfterAMinute() {
    Message lost = message("a").deduplicationKey("k").build();
    Message next = message("a").deduplicationKey("k").build();
    takeKeyAndCrash(lost);

    assertThatThrownBy(() -> append(next))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(lost.id().toString())
        .hasMessageContaining("Nothing of this call is stored");
    aheadMillis.addAndGet(Duration.ofSeconds(61).toMillis());

    assertThat(append(next)).isEqualTo(new Appended(next.id()));
    assertThat(stored()).containsExactly(next.id());
  }

  /** The caller tries the same message again after a crash between key and message. */
  @Test
  void theSameMessageAppendedAgainAfterACrashIsStoredAtOnce() {
    Message lost = message("a").deduplicationKey("k").build();
    takeKeyAndCrash(lost);

    assertThat(append(lost)).isEqualTo(new Appended(lost.id()));

    assertThat(append(lost)).isEqualTo(new Duplicate(lost.id()));
    assertThat(stored()).containsExactly(lost.id());
  }

  /** A crash between message and note. */
  @Test
  void aStoredMessageWithoutItsNoteIsADuplicateAtOnce() {
    Message stored = message("a").deduplicationKey("k").build();
    append(stored);
    removeNote();

    assertThat(append(message("a").deduplicationKey("k").build()))
        .isEqualTo(new Duplicate(stored.id()));
    assertThat(append(stored)).isEqualTo(new Duplicate(stored.id()));
  }

  @Test
  void anAppendThatTheServerRefusesLeavesNoDeduplicationKey() {
    refuseType("Bad");
    Message refused = message("Bad", "a").deduplicationKey("k").build();

    assertThatThrownBy(() -> append(refused))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("Document failed validation")
        .hasMessageContaining("nothing of this call is stored");
    Message other = message("a").deduplicationKey("k").build();
    assertThat(append(other)).as("another message").isEqualTo(new Appended(other.id()));
    refuseType("Other");

    assertThat(append(refused)).isEqualTo(new Duplicate(other.id()));
    assertThat(claimedIds()).containsExactly(other.id());
  }

  @Test
  void theRetryOfARefusedAppendIsStored() {
    refuseType("Bad");
    Message refused = message("Bad", "a").deduplicationKey("k").build();
    assertThatThrownBy(() -> append(refused)).isInstanceOf(PostroadException.class);
    refuseType("Other");

    assertThat(append(refused)).isEqualTo(new Appended(refused.id()));
    assertThat(claimedIds()).containsExactly(refused.id());
  }

  @Test
  void aListOfWhichOneMessageIsRefusedIsNotStored() {
    refuseType("Bad");
    List<Message> list =
        List.of(
            message("a").deduplicationKey("k1").build(),
            message("b").build(),
            message("Bad", "c").deduplicationKey("k3").build(),
            message("d").deduplicationKey("k4").build());

    assertThatThrownBy(() -> appendAll(list))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("nothing of this call is stored");
    assertThat(stored()).isEmpty();
    refuseType("Other");

    assertThat(appendAll(list))
        .containsExactlyElementsOf(
            list.stream().map(message -> (AppendResult) new Appended(message.id())).toList());
    assertThat(stored()).hasSize(4);
  }

  /** A worker may claim a message of the list before the server refuses another one. */
  @Test
  void aListOfWhichAWorkerHasClaimedAMessageSaysSo() {
    refuseType("Bad");
    Message early = message("a").deduplicationKey("k1").build();
    List<Message> list = List.of(early, message("b").build(), message("Bad", "c").build());
    hook.before(
        "delete",
        Names.OUTBOX,
        () -> assertThat(store.claim(new ClaimRequest("n", 1, WINDOW))).hasSize(1));

    assertThatThrownBy(() -> appendAll(list))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("1 of them")
        .hasMessageContaining(early.id().toString());

    assertThat(stored()).containsExactly(early.id());
    assertThat(append(message("a").deduplicationKey("k1").build()))
        .isEqualTo(new Duplicate(early.id()));
  }

  /** The id belongs to a message that was stored before, which stays. */
  @Test
  void anIdThatIsTakenLeavesNeitherItsListNorItsKeyBehind() {
    Message before = message("a").build();
    append(before);
    Message same = message("b").id(before.id()).deduplicationKey("k2").build();

    assertThatThrownBy(() -> appendAll(List.of(message("c").build(), same)))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(before.id().toString());
    assertThatThrownBy(() -> append(same)).isInstanceOf(PostroadException.class);

    assertThat(stored()).containsExactly(before.id());
    Message next = message("b").deduplicationKey("k2").build();
    assertThat(append(next)).isEqualTo(new Appended(next.id()));
  }

  /** The server has stored the message and cannot say that it is durable. */
  @Test
  void anAppendThatMayBeStoredIsADuplicateWhenItIsTriedAgain() {
    Message message = message("a").deduplicationKey("k").build();
    failNextInsert(
        new Document(
            "writeConcernError", new Document("code", 64).append("errmsg", "waiting timed out")));

    assertThatThrownBy(() -> append(message))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("may be stored");

    assertThat(append(message)).isEqualTo(new Duplicate(message.id()));
    assertThat(stored()).containsExactly(message.id());
  }

  /** The connection ends before the server has stored the message. */
  @Test
  void anAppendThatWasLostOnItsWayIsStoredWhenItIsTriedAgain() {
    Message message = message("a").deduplicationKey("k").build();
    failNextInsert(new Document("closeConnection", true));

    assertThatThrownBy(() -> append(message))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("may be stored");

    assertThat(append(message)).isEqualTo(new Appended(message.id()));
    assertThat(stored()).containsExactly(message.id());
  }

  /** The note may be missing though the message is there. */
  @Test
  void aKeyWhoseMessageIsStoredCountsWithoutItsNote() {
    Message stored = message("a").deduplicationKey("k").build();
    append(stored);
    removeNote();
    aheadMillis.addAndGet(Duration.ofSeconds(61).toMillis());

    assertThat(append(message("a").deduplicationKey("k").build()))
        .isEqualTo(new Duplicate(stored.id()));
  }

  /** Its message is in the collection that a team has, under an id of that collection's kind. */
  @Test
  void aKeyWhoseMessageIsStoredInAnAdoptedCollectionCountsWithoutItsNote() {
    Layout layout = Layouts.brokerless();
    options = options.withDatabase(server.freshDatabase("adopted"));
    client
        .getDatabase(options.database())
        .getCollection(layout.table())
        .insertOne(
            Document.parse(
                """
                {_id: {$oid: "6afb9c19bfb268b2c47dee18"}, stream: "pages", event_type: "PageChanged",
                 aggregate_id: "a", payload: {}, created_at: {$date: "2026-01-01T00:00:00Z"},
                 status: "done", lease_owner: null, lease_until: null, attempts: 1,
                 last_error: null, next_retry_at: {$date: "2026-01-01T00:00:00Z"}}
                """));
    store = MongoCompetingStore.open(client, options, layout, aheadMillis::get);
    Message stored = message("a").deduplicationKey("k").build();
    append(stored);
    client
        .getDatabase(options.database())
        .getCollection("postroad_" + Names.DEDUP)
        .updateOne(Filters.eq("_id", "k"), new Document("$unset", new Document("stored", "")));
    aheadMillis.addAndGet(Duration.ofSeconds(61).toMillis());

    assertThat(append(message("a").deduplicationKey("k").build()))
        .isEqualTo(new Duplicate(stored.id()));
  }

  @Test
  void aProcessKilledBetweenTheTwoWritesIsRepaired() {
    try (ChildJvm writer =
        ChildJvm.start(PageWriter.class, server.connectionString(), options.database(), "lost")) {
      writer.awaitLine(PageWriter.WRITTEN::equals, Duration.ofMinutes(1));
      writer.kill();
    }
    writePage("kept");
    Reconciler<String> reconciler = reconciler();

    assertThat(reconciler.runOnce()).isEqualTo(new Reconciler.Run(2, 1));

    assertThat(claimed()).containsExactlyInAnyOrder("lost", "kept");
    assertThat(reconciler.runOnce())
        .as("one that waits to be delivered is not appended twice")
        .isEqualTo(new Reconciler.Run(2, 0));
  }

  @Test
  void whatHasItsResultIsNotAppendedAgain() {
    writePage("done");
    snapshots().insertOne(new BsonDocument("_id", new BsonString("done")));
    client.getDatabase(options.database()).getCollection(Names.OUTBOX).deleteMany(new Document());

    assertThat(reconciler().runOnce()).isEqualTo(new Reconciler.Run(1, 0));
  }

  @Test
  void oneNodeReconcilesAtATimeUntilItsLeaseEnds() {
    writePage("kept");
    Reconciler<String> first = reconciler();
    Reconciler<String> second = reconciler();

    assertThat(first.runOnce().looked()).isEqualTo(1);
    assertThat(second.runOnce()).isEqualTo(new Reconciler.Run(0, 0));
    aheadMillis.addAndGet(Duration.ofSeconds(61).toMillis());
    assertThat(second.runOnce().looked()).isEqualTo(1);
    second.close();
    assertThat(first.runOnce().looked()).isEqualTo(1);
  }

  @Test
  void aStartedReconcilerRunsByItselfAndEndsWhenClosed() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);
    Reconciler<String> reconciler =
        Reconciler.of(
            store,
            "ticks",
            new Reconciler.Queries<>(
                () -> {
                  runs.countDown();
                  if (runs.getCount() == 2) {
                    throw new IllegalStateException("a run that fails is made up for");
                  }
                  return List.of();
                },
                page -> true,
                page -> message(page).build()));
    reconciler.start(Duration.ofMillis(1));

    assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
    reconciler.close();
  }

  private Reconciler<String> reconciler() {
    return Reconciler.of(
        store,
        "pages",
        new Reconciler.Queries<>(
            () -> pages().find().map(page -> page.getString("_id").getValue()),
            page -> snapshots().find(Filters.eq("_id", page)).first() != null,
            PageWriter::changed));
  }

  /** State first, outbox second. */
  private void writePage(String page) {
    try (ClientSession session = client.startSession()) {
      pages().insertOne(session, new BsonDocument("_id", new BsonString(page)));
      store.append(session, List.of(PageWriter.changed(page)), WINDOW);
    }
  }

  private List<String> claimed() {
    return store.claim(new ClaimRequest("node", 10, Duration.ofMinutes(1))).stream()
        .map(claim -> claim.message().key().orElseThrow())
        .toList();
  }

  private MongoCollection<BsonDocument> pages() {
    return client.getDatabase(options.database()).getCollection("pages", BsonDocument.class);
  }

  private MongoCollection<BsonDocument> snapshots() {
    return client.getDatabase(options.database()).getCollection("snapshots", BsonDocument.class);
  }

  private AppendResult append(Message message) {
    return appendAll(List.of(message)).get(0);
  }

  private List<AppendResult> appendAll(List<Message> messages) {
    try (ClientSession session = client.startSession()) {
      return store.append(session, messages, WINDOW);
    }
  }

  private void takeKeyAndCrash(Message message) {
    client
        .getDatabase(options.database())
        .getCollection(Names.DEDUP, BsonDocument.class)
        .updateOne(
            Filters.eq("_id", message.deduplicationKey().orElseThrow()),
            List.of(
                new Document(
                    "$set",
                    new Document("message_id", new BsonBinary(message.id()))
                        .append("expires_at", Date.from(store.now().plus(WINDOW)))
                        .append("taken_at", Date.from(store.now())))),
            new UpdateOptions().upsert(true));
  }

  private void removeNote() {
    client
        .getDatabase(options.database())
        .getCollection(Names.DEDUP)
        .updateOne(Filters.eq("_id", "k"), new Document("$unset", new Document("stored", "")));
  }

  private void failNextInsert(Document how) {
    Document data = new Document("failCommands", List.of("insert"));
    data.putAll(how);
    client
        .getDatabase("admin")
        .runCommand(
            new Document("configureFailPoint", "failCommand")
                .append("mode", new Document("times", 1))
                .append("data", data));
  }

  /** Lets the server refuse messages of one type from now on. */
  private void refuseType(String type) {
    client
        .getDatabase(options.database())
        .runCommand(
            new Document("collMod", Names.OUTBOX)
                .append("validator", new Document(MessageDocument.TYPE, new Document("$ne", type)))
                .append("validationLevel", "strict")
                .append("validationAction", "error"));
  }

  private List<UUID> stored() {
    return client
        .getDatabase(options.database())
        .getCollection(Names.OUTBOX, BsonDocument.class)
        .find()
        .map(MessageDocument::id)
        .into(new ArrayList<>());
  }

  private List<UUID> claimedIds() {
    return store.claim(new ClaimRequest("node", 10, Duration.ofMinutes(1))).stream()
        .map(Claim::id)
        .toList();
  }

  private static Message.Builder message(String key) {
    return message("PageChanged", key);
  }

  private static Message.Builder message(String type, String key) {
    return Message.event(type).to("pages").key(key).json("{}");
  }
}
