package io.postroad.mongodb.internal.client;

import static io.postroad.mongodb.AdoptedDatabase.append;
import static io.postroad.mongodb.AdoptedDatabase.claim;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Sorts;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.layout.PayloadForm;
import io.postroad.layout.Statuses;
import io.postroad.message.Message;
import io.postroad.message.Payload;
import io.postroad.mongodb.AdoptedDatabase;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.RejectingSender;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The outbox without a broker, as its spec has it, with documents in every status. */
class BrokerlessLayoutTest {
  private static final Layout LAYOUT = Layouts.brokerless();
  private static final String LONG_AGO = "{$date: '2026-01-05T10:30:00Z'}";
  private static final String LATER = "{$date: '2126-01-05T10:30:00Z'}";

  private AdoptedDatabase database;

  @BeforeEach
  void create() {
    database = AdoptedDatabase.brokerless();
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** A document as section 10.1 has it. */
  private void insert(String id, String status, String more) {
    BsonDocument document =
        BsonDocument.parse(
            """
            {_id: %s, stream: "wiki", event_type: "PageRevisionCreated", aggregate_id: "page-7",
             payload: {page_id: "page-7", revision_id: 3}, created_at: %s, status: "%s",
             lease_owner: null, lease_until: null, attempts: 0, last_error: null,
             next_retry_at: %s}
            """
                .formatted(id, LONG_AGO, status, LONG_AGO));
    document.putAll(BsonDocument.parse(more));
    document.entrySet().removeIf(field -> field.getValue().getBsonType() == BsonType.UNDEFINED);
    database.outbox().insertOne(document);
  }

  private BsonDocument document(String id) {
    return database.document("{_id: %s}".formatted(id));
  }

  private String status(String id) {
    return document(id).getString("status").getValue();
  }

  /** Section 10.2, as the old worker does it. */
  private @Nullable BsonDocument claimAsTheOldWorker() {
    return database
        .outbox()
        .findOneAndUpdate(
            BsonDocument.parse(
                """
                {$or: [
                  {status: {$in: ["new", "failed"]}, $expr: {$lte: ["$next_retry_at", "$$NOW"]}},
                  {status: "processing", $expr: {$lt: ["$lease_until", "$$NOW"]}}]}
                """),
            List.of(
                BsonDocument.parse(
                    """
                    {$set: {status: "processing", lease_owner: "old",
                      lease_until: {$add: ["$$NOW", 3600000]}, attempts: {$add: ["$attempts", 1]}}}
                    """)),
            new FindOneAndUpdateOptions().sort(Sorts.ascending("created_at")));
  }

  @Test
  void documentsOfEveryStatusAreWhatTheyWere() {
    insert("'new'", "new", "{}");
    insert("'due'", "failed", "{attempts: 2, last_error: 'busy'}");
    insert("'waiting'", "failed", "{attempts: 2, next_retry_at: %s}".formatted(LATER));
    insert("'done'", "done", "{attempts: 1}");
    insert("'dead'", "dead", "{attempts: 9, last_error: 'no such page'}");
    insert(
        "'processing'",
        "processing",
        "{attempts: 1, lease_owner: 'old', lease_until: %s}".formatted(LATER));
    insert(
        "'expired'",
        "processing",
        "{attempts: 1, lease_owner: 'old', lease_until: %s}".formatted(LONG_AGO));
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      List<Claim> claims = claim(store, 10);

      assertThat(claims).extracting(Claim::attempt).containsExactlyInAnyOrder(1, 2, 3);
      assertThat(claims)
          .filteredOn(claim -> claim.expiredOwner().isPresent())
          .extracting(claim -> claim.expiredOwner().orElseThrow())
          .containsExactly("old");
      assertThat(List.of(status("'new'"), status("'due'"), status("'expired'")))
          .containsOnly("processing");
      assertThat(document("'new'").getString("lease_owner").getValue()).isEqualTo("node");
      Message message = claims.get(0).message();
      assertThat(message.destination()).isEqualTo("wiki");
      assertThat(message.aggregateType()).contains("wiki");
      assertThat(message.key()).contains("page-7");

      assertThat(store.settle(claims.stream().<Settlement>map(Settlement.Delivered::new).toList()))
          .isEmpty();
      assertThat(status("'new'")).isEqualTo("done");
      assertThat(document("'new'").isNull("lease_owner")).isTrue();
      assertThat(document("'new'").isNull("lease_until")).isTrue();
      assertThat(document("'new'").getNumber("attempts").intValue()).isEqualTo(1);

      assertThat(document("'processing'").getString("lease_owner").getValue()).isEqualTo("old");
      assertThat(status("'done'")).isEqualTo("done");
      List<DeadLetter> dead =
          store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
      assertThat(dead).extracting(DeadLetter::error).containsExactly("no such page");
      assertThat(dead.get(0).diedAt()).isEqualTo(Instant.parse("2026-01-05T10:30:00Z"));
      assertThat(store.backlog().pending()).isEqualTo(2);

      database.advance(Duration.ofDays(365 * 200));
      assertThat(claim(store, 10)).as("waiting, and what the old worker held").hasSize(2);
    }
  }

  @Test
  void aDocumentWithoutARetryTimeIsDue() {
    insert("'missing'", "new", "{next_retry_at: {$undefined: true}}");
    insert("'null'", "failed", "{next_retry_at: null}");
    insert("'later'", "new", "{next_retry_at: %s}".formatted(LATER));
    assertThat(document("'missing'").containsKey("next_retry_at")).isFalse();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 10)).hasSize(2);
      assertThat(status("'later'")).isEqualTo("new");
    }
  }

  @Test
  void aRetryIsFailedWithItsTimeAndAFirstReleaseIsNew() {
    insert("'a'", "new", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      store.settle(
          List.of(new Settlement.Release(claim(store, 1).get(0), Duration.ZERO, "not now")));
      assertThat(status("'a'")).isEqualTo("new");
      store.settle(
          List.of(new Settlement.Retry(claim(store, 1).get(0), Duration.ofHours(1), "busy")));
      assertThat(status("'a'")).isEqualTo("failed");
      assertThat(document("'a'").getNumber("attempts").intValue()).isEqualTo(1);
      assertThat(document("'a'").getDateTime("next_retry_at").getValue())
          .isGreaterThan(System.currentTimeMillis() + 3_000_000);
    }
  }

  /** N is the limit: the claim that follows the last expired lease does not run. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void claimNPlusOneGoesDeadWithoutRunning(int limit) {
    insert("'a'", "new", "{}");
    RejectingSender sender = new RejectingSender();
    try (MongoCompetingStore store = database.open(LAYOUT);
        OutboxRelay relay =
            OutboxRelay.builder(store, sender)
                .options(RelayOptions.defaults().withMaxAttempts(limit))
                .build()) {
      for (int claims = 1; claims <= limit; claims++) {
        assertThat(claim(store, 1)).as("a worker that dies").hasSize(1);
        database.advance(Duration.ofMinutes(2));
      }
      assertThat(relay.runOnce().dead()).isEqualTo(1);
      assertThat(sender.sent()).isZero();
      assertThat(status("'a'")).isEqualTo("dead");
      assertThat(document("'a'").getNumber("attempts").intValue()).isEqualTo(limit + 1);
    }
  }

  @Test
  void theNthExecutionIsTheLast() {
    insert("'a'", "failed", "{attempts: %d}".formatted(LAYOUT.executions() - 1));
    RejectingSender sender = new RejectingSender();
    try (MongoCompetingStore store = database.open(LAYOUT);
        OutboxRelay relay =
            OutboxRelay.builder(store, sender)
                .options(RelayOptions.defaults().withMaxAttempts(LAYOUT.executions()))
                .build()) {
      assertThat(relay.runOnce().dead()).isEqualTo(1);
      assertThat(sender.sent()).isEqualTo(1);
      assertThat(status("'a'")).isEqualTo("dead");
      assertThat(document("'a'").isNull("lease_owner")).isTrue();
    }
  }

  @Test
  void theOldWorkerAndOursRespectEachOthersLeases() {
    insert("'a'", "new", "{}");
    insert("'b'", "new", "{created_at: {$date: '2026-01-06T10:30:00Z'}}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claimAsTheOldWorker()).isNotNull();
      List<Claim> claims = claim(store, 10);

      assertThat(claims).hasSize(1);
      assertThat(document("'a'").getString("lease_owner").getValue()).isEqualTo("old");
      assertThat(document("'b'").getString("lease_owner").getValue()).isEqualTo("node");
      assertThat(claimAsTheOldWorker()).isNull();
    }
  }

  /** It knows nothing of tokens. */
  @Test
  void aLeaseThatTheOldWorkerTookOverNoLongerHolds() {
    insert("'a'", "new", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      Claim claim = claim(store, 1).get(0);
      database.update("{}", "{$set: {lease_until: %s}}".formatted(LONG_AGO));
      assertThat(claimAsTheOldWorker()).isNotNull();

      assertThat(store.extend(List.of(claim), Duration.ofMinutes(1))).isEmpty();
      assertThat(store.settle(List.of(new Settlement.Delivered(claim))))
          .containsExactly(claim.id());
      assertThat(status("'a'")).isEqualTo("processing");
    }
  }

  @Test
  void aClaimWithoutALeaseIsAStrangers() {
    insert("'a'", "processing", "{attempts: 1}");
    try (MongoCompetingStore store =
        database.open(LAYOUT.withStrangersAfter(Duration.ofHours(1)))) {
      assertThat(claim(store, 10)).isEmpty();
      database.advance(Duration.ofMinutes(59));
      assertThat(claim(store, 10)).isEmpty();
      database.advance(Duration.ofMinutes(2));
      assertThat(claim(store, 10)).extracting(Claim::attempt).containsExactly(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{page_id: 'page-7'}",
        "'{\"page_id\":\"page-7\"}'",
        "'eyJwYWdlX2lkIjoicGFnZS03In0='",
        "{$binary: {base64: 'eyJwYWdlX2lkIjoicGFnZS03In0=', subType: '00'}}"
      })
  void everyFormOfPayloadIsRead(String payload) {
    insert("'a'", "new", "{payload: %s}".formatted(payload));
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 1).get(0).message().payload())
          .isEqualTo(Payload.json("{\"page_id\":\"page-7\"}"));
    }
  }

  @ParameterizedTest
  @EnumSource(PayloadForm.class)
  void everyFormOfPayloadIsWritten(PayloadForm form) {
    List<Message> messages =
        List.of(
            Message.event("E").to("wiki").json("{\"a\":1}").build(),
            Message.event("E").to("wiki").json("{ \"a\" : 1.50 }").build(),
            Message.event("E")
                .to("wiki")
                .payload(Payload.text("eyJhIjoxfQ==", "text/plain"))
                .build(),
            Message.event("E")
                .to("wiki")
                .payload(Payload.bytes(new byte[] {1, -1, 0}, "image/png"))
                .build(),
            Message.event("E")
                .to("wiki")
                .payload(Payload.bytes(new byte[] {'{', '}'}, Payload.JSON))
                .build());
    try (MongoCompetingStore store = database.open(LAYOUT.withPayload(form))) {
      append(store, messages.toArray(Message[]::new));
      assertThat(claim(store, 10))
          .extracting(Claim::message)
          .containsExactlyInAnyOrderElementsOf(messages);
      BsonDocument first =
          database.outbox().find(DocumentIds.among(List.of(messages.get(0).id()))).first();
      assertThat(first.containsKey("postroad_payload")).isFalse();
      assertThat(String.valueOf(first.get("payload")))
          .isEqualTo(
              switch (form) {
                case TEXT -> "BsonString{value='{\"a\":1}'}";
                case JSON -> "{\"a\": 1}";
                case BYTES -> "BsonBinary{type=0, data=[123, 34, 97, 34, 58, 49, 125]}";
                case BASE64 -> "BsonString{value='eyJhIjoxfQ=='}";
              });
    }
  }

  @Test
  void idsThatAreAppendedAreOfTheCollectionsKind() {
    insert("'550e8400-e29b-41d4-a716-446655440001'", "done", "{}");
    Message message = Message.event("E").to("wiki").json("{}").build();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      append(store, message);
      assertThat(status("'%s'".formatted(message.id()))).isEqualTo("new");
      assertThat(store.find(message.id()).orElseThrow().message()).isEqualTo(message);
    }
  }

  /** Old ones say nothing about when they were done. */
  @Test
  void whatWasDeliveredIsPurged() {
    insert("'old'", "done", "{}");
    insert("'young'", "done", "{created_at: %s}".formatted(LATER));
    insert("'ours'", "new", "{created_at: %s}".formatted(LONG_AGO));
    insert("'dead'", "dead", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      store.settle(List.of(new Settlement.Delivered(claim(store, 1).get(0))));

      assertThat(store.purge(Duration.ofDays(7), 10).messages()).isEqualTo(1);
      assertThat(database.document("{_id: 'old'}")).isNull();
      assertThat(status("'ours'")).isEqualTo("done");

      database.advance(Duration.ofDays(8));
      assertThat(store.purge(Duration.ofDays(7), 10).messages()).isEqualTo(1);
      assertThat(database.document("{_id: 'ours'}")).isNull();
      assertThat(database.outbox().countDocuments()).isEqualTo(2);
    }
  }

  @Test
  void whatIsSetAsideWaitsForItsDestination() {
    insert("'a'", "new", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      store.settle(List.of(new Settlement.Blocked(claim(store, 1).get(0), "down")));
      assertThat(store.blockedDestinations()).containsExactly("wiki");
      assertThat(store.blocked()).extracting(BlockedDestination::messages).containsExactly(1L);
      assertThat(claim(store, 1)).isEmpty();
      assertThat(store.open("wiki", 10)).isEqualTo(1);
      assertThat(claim(store, 1)).extracting(Claim::attempt).containsExactly(1);
    }
  }

  @Test
  void deadLettersAreFoundByWhatTheyFallBackTo() {
    insert("'a'", "dead", "{last_error: 'one'}");
    insert("'b'", "dead", "{last_error: 'two', aggregate_id: 'page-8', stream: 'media'}");
    DeadLetterFilter all = DeadLetterFilter.all();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      List<DeadLetterFilter> filters =
          List.of(
              all.withKey("page-8"), all.withDestination("media"), all.withErrorContaining("tw"));
      for (DeadLetterFilter filter : filters) {
        assertThat(store.deadLetters().list(filter, Optional.empty(), 10))
            .extracting(DeadLetter::error)
            .containsExactly("two");
      }
    }
  }

  @Test
  void theOwnIndexesStay() {
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(store.examine()).isEmpty();
    }
    List<String> names =
        database
            .outbox()
            .listIndexes(BsonDocument.class)
            .map(index -> index.getString("name").getValue())
            .into(new ArrayList<>());
    assertThat(names)
        .containsExactlyInAnyOrder(
            "_id_",
            "status_1_next_retry_at_1_created_at_1",
            "lease_until_1",
            "stream_1_status_1_next_retry_at_1",
            "postroad_due_idx",
            "postroad_lease_idx",
            "postroad_dead_idx",
            "postroad_delivered_idx",
            "postroad_aside_idx",
            "postroad_id_idx");
  }

  /** Three words: a claim shows in the lease only. */
  @Test
  void aLayoutWithoutAWordForAClaimKeepsItInTheLease() {
    Layout three = LAYOUT.withStatuses(Statuses.of("new", "done", "dead"));
    insert("'a'", "new", "{}");
    try (MongoCompetingStore store = database.open(three)) {
      Claim claim = claim(store, 1).get(0);
      assertThat(status("'a'")).isEqualTo("new");
      assertThat(claim(store, 1)).isEmpty();
      assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(MessageStatus.PROCESSING);
      assertThat(store.extend(List.of(claim), Duration.ofMinutes(10))).containsExactly(claim.id());
      database.advance(Duration.ofMinutes(5));
      assertThat(claim(store, 1)).isEmpty();
      database.advance(Duration.ofMinutes(6));
      Claim second = store.claim(new ClaimRequest("other", 5, Duration.ofMinutes(1))).get(0);
      assertThat(second.expiredOwner()).contains("node");
      assertThat(store.settle(List.of(new Settlement.Delivered(claim)))).hasSize(1);
      assertThat(store.settle(List.of(new Settlement.Delivered(second)))).isEmpty();
      assertThat(status("'a'")).isEqualTo("done");
    }
  }
}
