package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.queue.DestinationIndex;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the queue looks like to people, and what it does where they have edited it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueTest {
  private TestDatabase database;
  private MongoCompetingStore store;

  @BeforeAll
  void create() {
    database = TestDatabase.migrated("queue");
    store = database.open();
  }

  @BeforeEach
  void empty() {
    database.reset();
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  /** The words and fields of the brokerless layout. */
  @Test
  void aDocumentGoesThroughTheStatesOfTheLayout() {
    Message message = append(store);
    assertThat(document(message).toJson()).contains("\"status\": \"new\"", "\"next_retry_at\"");

    Claim claim = claim(store);
    assertThat(document(message).getString("status").getValue()).isEqualTo("processing");
    assertThat(document(message).getString("lease_owner").getValue()).isEqualTo("node");
    assertThat(document(message).get("lease_until")).isEqualTo(document(message).get("due_at"));

    store.settle(List.of(new Settlement.Retry(claim, Duration.ZERO, "again")));
    assertThat(document(message).getString("status").getValue()).isEqualTo("failed");
    assertThat(document(message).get("due_at")).isEqualTo(document(message).get("next_retry_at"));

    store.settle(List.of(new Settlement.Delivered(claim(store))));
    assertThat(document(message).getString("status").getValue()).isEqualTo("done");
    assertThat(document(message).isNull("lease_owner")).isTrue();
    assertThat(document(message).isNull("lease_until")).isTrue();
    assertThat(document(message).containsKey("due_at")).isFalse();
    assertThat(document(message).containsKey("settled_at")).isTrue();
  }

  @Test
  void aReleaseOfTheFirstClaimIsNewAgain() {
    Message message = append(store);

    store.settle(List.of(new Settlement.Release(claim(store), Duration.ZERO, "not now")));

    assertThat(document(message).getString("status").getValue()).isEqualTo("new");
  }

  @Test
  void whatIsSetAsideIsNewAndDueAtTheEndOfTimeUntilItIsOpened() {
    Message message = append(store);
    store.settle(List.of(new Settlement.Blocked(claim(store), "down")));

    assertThat(document(message).getString("status").getValue()).isEqualTo("new");
    assertThat(document(message).get("next_retry_at")).isEqualTo(DestinationIndex.DUE_AT);
    assertThat(document(message).get("due_at")).isEqualTo(DestinationIndex.DUE_AT);
    assertThat(document(message).isDateTime("aside_at")).isTrue();

    store.open("orders", 1);
    assertThat(document(message).containsKey("aside_at")).isFalse();
    assertThat(document(message).get("next_retry_at")).isEqualTo(document(message).get("due_at"));
  }

  /** As an operator does with mongosh: what is claimed waits for nothing any more. */
  @Test
  void whatIsMadeDueByHandIsNotSetAside() {
    Message message = append(store);
    store.settle(List.of(new Settlement.Blocked(claim(store), "down")));
    database
        .collection(Names.OUTBOX)
        .updateOne(
            Filters.eq("_id", MessageDocument.id(message.id())),
            Updates.set("due_at", Date.from(store.now())));

    Claim claim = claim(store);

    assertThat(store.blockedDestinations()).isEmpty();
    assertThat(store.open("orders", 1)).isZero();
    assertThat(store.settle(List.of(new Settlement.Delivered(claim)))).isEmpty();
  }

  /** To MongoDB a limit of zero is none. */
  @Test
  void nothingIsOpenedWithoutALimit() {
    assertThatThrownBy(() -> store.open("orders", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("open limit must be 1 or more, got 0");
  }

  @Test
  void ownersAndErrorsThatLookLikeExpressionsAreTexts() {
    Message message = append(store);
    Claim claim = store.claim(new ClaimRequest("$owner", 1, Duration.ofMinutes(1))).get(0);
    assertThat(store.find(message.id()).orElseThrow().owner()).contains("$owner");

    store.settle(List.of(new Settlement.Retry(claim, Duration.ofHours(1), "$$NOW")));

    assertThat(store.find(message.id()).orElseThrow().lastError()).contains("$$NOW");
  }

  @Test
  void deadLettersAreMovedWhereThatIsWanted() {
    try (MongoCompetingStore moving =
        database.open(database.options().withDeadLetters(MongoOptions.DeadLetters.MOVE))) {
      Message message = append(moving);

      moving.settle(List.of(new Settlement.Dead(claim(moving), "unknown topic")));

      assertThat(database.collection(Names.OUTBOX).countDocuments()).isZero();
      assertThat(database.collection(Names.DEAD).countDocuments()).isEqualTo(1);
      StoredMessage dead = moving.find(message.id()).orElseThrow();
      assertThat(dead.status()).isEqualTo(MessageStatus.FAILED);
      assertThat(dead.message()).isEqualTo(message);
      assertThat(dead.lastError()).contains("unknown topic");
      assertThat(moving.backlog().dead()).isEqualTo(1);
    }
  }

  /** As after a crash between settle and move, or from before it was wanted. */
  @Test
  void deadLettersThatWereLeftBehindAreMovedByThePurge() {
    append(store);
    store.settle(List.of(new Settlement.Dead(claim(store), "dead")));
    assertThat(database.collection(Names.OUTBOX).countDocuments()).isEqualTo(1);

    try (MongoCompetingStore moving =
        database.open(database.options().withDeadLetters(MongoOptions.DeadLetters.MOVE))) {
      assertThat(moving.purge(Duration.ofDays(1), 10).messages()).isZero();
      assertThat(database.collection(Names.OUTBOX).countDocuments()).isZero();
      assertThat(moving.backlog().dead()).isEqualTo(1);
    }
  }

  @Test
  void aDocumentThatIsNoMessageIsADeadLetterAndHoldsUpNobody() {
    Message broken = append(store);
    database.advance(Duration.ofSeconds(1));
    Message fine = append(store);
    database
        .collection(Names.OUTBOX)
        .updateOne(
            Filters.eq("_id", MessageDocument.id(broken.id())), Updates.set("category", "no"));

    List<Claim> claims = store.claim(new ClaimRequest("node", 10, Duration.ofMinutes(1)));

    assertThat(claims).extracting(Claim::id).containsExactly(fine.id());
    assertThat(document(broken).getString("status").getValue()).isEqualTo("dead");
    assertThat(document(broken).getString("last_error").getValue())
        .contains("cannot be read as a message");
    assertThatThrownBy(() -> store.find(broken.id()))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining(broken.id().toString());
  }

  /** As of one that was inserted by hand, or by a driver that writes UUIDs in another way. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{_id: {$oid: '507f1f77bcf86cd799439011'}}",
        "{_id: 'order-1'}",
        "{_id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '00'}}}",
        "{_id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '03'}}}",
        "{_id: {$binary: {base64: 'AAAA', subType: '04'}}}"
      })
  void aDocumentWhoseIdIsNoUuidIsADeadLetterThatGetsOne(String id) {
    Message message = append(store);
    BsonDocument foreign = document(message);
    foreign.putAll(BsonDocument.parse(id));
    database.collection(Names.OUTBOX).insertOne(foreign);

    List<Claim> claims = store.claim(new ClaimRequest("node", 10, Duration.ofMinutes(1)));

    assertThat(claims).extracting(Claim::id).containsExactly(message.id());
    assertThat(database.collection(Names.OUTBOX).countDocuments(BsonDocument.parse(id))).isZero();
    DeadLetter letter =
        store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10).get(0);
    assertThat(letter.error()).contains("cannot be read as a message", "its _id was");
    assertThat(letter.message().destination()).isEqualTo("orders");
    Decision decision = new Decision("on-call", "it is fine");
    assertThat(store.deadLetters().replay(List.of(letter.id()), decision)).hasSize(1);
    assertThat(claim(store).id()).isEqualTo(letter.id());
  }

  /** A claim of one takes another way than a claim of many. */
  @Test
  void aClaimOfOnePassesADocumentWhoseIdIsNoUuid() {
    Message message = append(store);
    BsonDocument foreign = document(message);
    foreign.putAll(BsonDocument.parse("{_id: 'order-1', due_at: {$date: 0}}"));
    database.collection(Names.OUTBOX).insertOne(foreign);

    assertThat(store.claim(new ClaimRequest("node", 1, Duration.ofMinutes(1)))).isEmpty();
    assertThat(claim(store).id()).isEqualTo(message.id());
  }

  @Test
  void theValidatorRefusesAStatusThatIsNone() {
    Message message = append(store);

    assertThatThrownBy(
            () ->
                database
                    .collection(Names.OUTBOX)
                    .updateOne(
                        Filters.eq("_id", MessageDocument.id(message.id())),
                        Updates.set("status", "gone")))
        .hasMessageContaining("Document failed validation");
  }

  /** What makes one appender wait for another must never be a key itself. */
  @Test
  void waitingForTakersOfAKeyLeavesNothing() {
    long before = database.collection(Names.DEDUP).countDocuments();
    try (ClientSession session = database.client().startSession()) {
      session.startTransaction();
      store.append(session, List.of(message().deduplicationKey("k").build()), Duration.ofHours(1));
      session.abortTransaction();
    }

    assertThat(database.collection(Names.DEDUP).countDocuments()).isEqualTo(before);
  }

  private static Message.Builder message() {
    return Message.event("OrderPlaced").to("orders").json("{}");
  }

  private static Message append(MongoCompetingStore store) {
    Message message = message().build();
    store
        .transactions()
        .run(session -> store.append(session, List.of(message), Duration.ofHours(1)));
    return message;
  }

  private static Claim claim(MongoCompetingStore store) {
    return store.claim(new ClaimRequest("node", 1, Duration.ofMinutes(1))).get(0);
  }

  private BsonDocument document(Message message) {
    return database
        .database()
        .latest(Names.OUTBOX)
        .find(Filters.eq("_id", MessageDocument.id(message.id())))
        .first();
  }
}
