package io.postroad.mongodb.internal.client;

import static io.postroad.mongodb.AdoptedDatabase.append;
import static io.postroad.mongodb.AdoptedDatabase.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import io.postroad.admin.BulkProgress;
import io.postroad.admin.OutboxAdmin;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.layout.Layouts;
import io.postroad.layout.Statuses;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.AdoptedDatabase;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.RejectingSender;
import io.postroad.mongodb.internal.schema.SchemaSteps;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The outbox of the recurring rules, as its spec has it, with documents in every status. */
class RecurringRulesLayoutTest {
  private static final Layout LAYOUT = Layouts.recurringRules();

  private AdoptedDatabase database;

  @BeforeEach
  void create() {
    database = AdoptedDatabase.recurringRules();
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** A document as section 3.1 has it. */
  private UUID insert(String status, String more) {
    UUID id = UUID.randomUUID();
    insert("{$binary: {base64: '%s', subType: '04'}}".formatted(base64(id)), status, more);
    return id;
  }

  private void insert(String id, String status, String more) {
    BsonDocument document =
        BsonDocument.parse(
            """
            {_id: %s, aggregateType: "RecurringRule", aggregateId: "RR10000001",
             eventType: "RuleCreatedEvent", payload: {ruleId: "RR10000001"}, status: "%s",
             targetTopic: "recurring_rules", createdAt: {$date: "2026-01-05T10:30:00Z"},
             processedAt: null, retryCount: 0, maxRetries: 5, nextRetryAt: null, lastError: null}
            """
                .formatted(id, status));
    document.putAll(BsonDocument.parse(more));
    document.entrySet().removeIf(field -> field.getValue().getBsonType() == BsonType.UNDEFINED);
    database.outbox().insertOne(document);
  }

  private static String base64(UUID id) {
    return java.util.Base64.getEncoder().encodeToString(new BsonBinary(id).getData());
  }

  private BsonDocument document(UUID id) {
    return database.outbox().find(DocumentIds.among(List.of(id))).first();
  }

  private static List<DeadLetter> dead(MongoCompetingStore store) {
    return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 100);
  }

  @Test
  void documentsOfEveryStatusAreWhatTheyWere() {
    UUID pending = insert("PENDING", "{}");
    UUID waiting =
        insert("PENDING", "{retryCount: 2, nextRetryAt: {$date: '2126-01-01T00:00:00Z'}}");
    UUID sent = insert("SENT", "{processedAt: {$date: '2126-01-05T10:31:00Z'}}");
    UUID failed = insert("FAILED", "{retryCount: 5, lastError: 'no such topic'}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      List<Claim> claims = claim(store, 10);

      assertThat(claims).extracting(Claim::id).containsExactly(pending);
      Message message = claims.get(0).message();
      assertThat(message.type()).isEqualTo("RuleCreatedEvent");
      assertThat(message.destination()).isEqualTo("recurring_rules");
      assertThat(message.key()).contains("RR10000001");
      assertThat(message.aggregateType()).contains("RecurringRule");
      assertThat(message.payload().text()).contains("{\"ruleId\":\"RR10000001\"}");
      assertThat(claims.get(0).attempt()).isEqualTo(1);
      assertThat(document(pending).getString("status").getValue()).isEqualTo("PROCESSING");

      assertThat(store.settle(List.of(new Settlement.Delivered(claims.get(0))))).isEmpty();
      assertThat(document(pending).getString("status").getValue()).isEqualTo("SENT");
      assertThat(document(pending).isDateTime("processedAt")).isTrue();
      assertThat(document(pending).getNumber("retryCount").intValue()).isZero();

      StoredMessage later = store.find(waiting).orElseThrow();
      assertThat(later.dueAt()).isEqualTo(Instant.parse("2126-01-01T00:00:00Z"));
      assertThat(later.status()).isEqualTo(MessageStatus.PENDING);
      assertThat(later.attempts()).isEqualTo(2);

      assertThat(store.find(sent).orElseThrow().status()).isEqualTo(MessageStatus.DISPATCHED);
      assertThat(dead(store)).hasSize(1);
      DeadLetter letter = dead(store).get(0);
      assertThat(letter.id()).isEqualTo(failed);
      assertThat(letter.error()).isEqualTo("no such topic");
      assertThat(letter.attempts()).isEqualTo(5);
      assertThat(letter.diedAt()).isEqualTo(Instant.parse("2026-01-05T10:30:00Z"));
      assertThat(store.backlog().pending()).isEqualTo(1);
      assertThat(store.backlog().dead()).isEqualTo(1);
      assertThat(claim(store, 10)).isEmpty();
    }
  }

  /** Decision 17: none is claimable, null is claimable, a later time is not. */
  @Test
  void aDocumentWithoutARetryTimeIsDue() {
    UUID missing = insert("PENDING", "{nextRetryAt: {$undefined: true}}");
    UUID empty = insert("PENDING", "{nextRetryAt: null}");
    UUID reached = insert("PENDING", "{nextRetryAt: {$date: '2026-01-05T10:30:00Z'}}");
    insert("PENDING", "{nextRetryAt: {$date: '2126-01-05T10:30:00Z'}}");
    assertThat(document(missing).containsKey("nextRetryAt")).isFalse();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 10))
          .extracting(Claim::id)
          .containsExactlyInAnyOrder(missing, empty, reached);
    }
  }

  /** Also what the old application writes while the store is open. */
  @Test
  void documentsWrittenLaterAreFound() {
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 10)).isEmpty();
      UUID pending = insert("PENDING", "{}");
      UUID failed = insert("FAILED", "{retryCount: 5}");

      assertThat(claim(store, 1)).extracting(Claim::id).containsExactly(pending);
      assertThat(dead(store)).extracting(DeadLetter::id).containsExactly(failed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "{retryCount: 2}, true",
    "{retryCount: 4}, true",
    "{retryCount: 5}, false",
    "'{retryCount: 2, maxRetries: 2}', false",
    "'{retryCount: 6, maxRetries: 7}', true",
    "'{retryCount: 4, maxRetries: {$undefined: true}}', true",
    "'{retryCount: 5, maxRetries: {$undefined: true}}', false",
  })
  void aFailedDocumentBelowItsLimitIsTriedAgain(String fields, boolean again) {
    UUID id = insert("FAILED", fields);
    int tried = document(id).getNumber("retryCount").intValue();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(store.find(id).orElseThrow().status())
          .isEqualTo(again ? MessageStatus.PENDING : MessageStatus.FAILED);

      List<Claim> claims = claim(store, 10);

      assertThat(claims).hasSize(again ? 1 : 0);
      assertThat(dead(store)).hasSize(again ? 0 : 1);
      if (again) {
        assertThat(claims.get(0).attempt()).isEqualTo(tried + 1);
      }
    }
  }

  @Test
  void aFailedDocumentThatIsTriedAgainKeepsItsTime() {
    UUID id = insert("FAILED", "{retryCount: 2, nextRetryAt: {$date: '2126-01-01T00:00:00Z'}}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 10)).isEmpty();
      assertThat(store.find(id).orElseThrow().dueAt())
          .isEqualTo(Instant.parse("2126-01-01T00:00:00Z"));
    }
  }

  /** Its own sweep looks for FAILED with a time, and must not bring it back. */
  @Test
  void whatDiesHasNoRetryTimeAndStaysDead() {
    UUID id = insert("PENDING", "{nextRetryAt: {$date: '2026-01-05T10:30:00Z'}}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      store.settle(List.of(new Settlement.Dead(claim(store, 1).get(0), "refused for ever")));

      assertThat(document(id).getString("status").getValue()).isEqualTo("FAILED");
      assertThat(document(id).isNull("nextRetryAt")).isTrue();
      assertThat(document(id).getNumber("retryCount").intValue()).isEqualTo(1);
      assertThat(claim(store, 10)).as("below maxRetries, and dead").isEmpty();
      assertThat(dead(store)).extracting(DeadLetter::id).containsExactly(id);

      store.deadLetters().replay(List.of(id), new Decision("on-call", "topic was created"));
      assertThat(document(id).isNull("processedAt")).isTrue();
      assertThat(claim(store, 10)).extracting(Claim::attempt).containsExactly(1);
    }
  }

  @Test
  void fiveExecutionsAndThenItIsDead() {
    UUID id = insert("PENDING", "{}");
    RejectingSender sender = new RejectingSender();
    try (MongoCompetingStore store = database.open(LAYOUT);
        OutboxRelay relay =
            OutboxRelay.builder(store, sender)
                .options(
                    RelayOptions.defaults()
                        .withMaxAttempts(LAYOUT.executions())
                        .withBackoff(new Backoff(Duration.ofMinutes(1), 2, Duration.ofDays(1), 0)))
                .build()) {
      for (int failures = 1; failures < 5; failures++) {
        assertThat(relay.runOnce().retried()).isEqualTo(1);
        assertThat(document(id).getString("status").getValue()).isEqualTo("PENDING");
        assertThat(document(id).getNumber("retryCount").intValue()).isEqualTo(failures);
        database.advance(Duration.ofHours(1));
      }
      assertThat(relay.runOnce().dead()).isEqualTo(1);
      database.advance(Duration.ofDays(1));
      assertThat(relay.runOnce().claimed()).isZero();
    }
    assertThat(sender.sent()).isEqualTo(5);
    assertThat(document(id).getString("status").getValue()).isEqualTo("FAILED");
    assertThat(document(id).getNumber("retryCount").intValue()).isEqualTo(5);
  }

  /** A crash counts when it is found. */
  @Test
  void anExpiredLeaseCountsAsAFailure() {
    UUID id = insert("PENDING", "{retryCount: 1}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      Claim first = claim(store, 1).get(0);
      database.advance(Duration.ofMinutes(2));
      Claim second = claim(store, 1).get(0);

      assertThat(first.attempt()).isEqualTo(2);
      assertThat(second.attempt()).isEqualTo(3);
      assertThat(second.expiredOwner()).contains("node");
      assertThat(document(id).getNumber("retryCount").intValue()).isEqualTo(2);
      assertThat(store.settle(List.of(new Settlement.Delivered(first)))).containsExactly(id);
      assertThat(store.settle(List.of(new Settlement.Delivered(second)))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'550e8400-e29b-41d4-a716-446655440001'",
        "'550E8400-E29B-41D4-A716-446655440001'",
        "'rule-created-17'",
        "{$oid: '65a1b2c3d4e5f60718293a4b'}",
        "{$numberLong: '17'}"
      })
  void everyKindOfIdIsClaimedSettledFoundAndListed(String id) {
    insert(id, "PENDING", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      Claim claim = claim(store, 1).get(0);
      assertThat(store.extend(List.of(claim), Duration.ofMinutes(5))).containsExactly(claim.id());
      assertThat(store.settle(List.of(new Settlement.Dead(claim, "no")))).isEmpty();
      assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(MessageStatus.FAILED);
      assertThat(dead(store)).extracting(DeadLetter::id).containsExactly(claim.id());
      Decision decision = new Decision("on-call", "again");
      assertThat(store.deadLetters().replay(List.of(claim.id()), decision))
          .containsExactly(claim.id());
      Claim again = claim(store, 1).get(0);
      assertThat(again.id()).isEqualTo(claim.id());
      assertThat(store.settle(List.of(new Settlement.Delivered(again)))).isEmpty();
    }
    assertThat(database.document("{_id: %s}".formatted(id)).getString("status").getValue())
        .isEqualTo("SENT");
  }

  /** Dead letters that nobody has claimed before, page by page. */
  @Test
  void deadLettersOfEveryKindOfIdAreListedInPages() {
    List<String> ids =
        List.of(
            "'550e8400-e29b-41d4-a716-446655440001'",
            "'rule-created-17'",
            "'rule-created-18'",
            "{$oid: '65a1b2c3d4e5f60718293a4b'}",
            "{$oid: '65a1b2c3d4e5f60718293a4c'}");
    ids.forEach(id -> insert(id, "FAILED", "{retryCount: 5}"));
    insert("FAILED", "{retryCount: 5}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      List<UUID> listed = new ArrayList<>();
      Optional<DeadLetter.Mark> mark = Optional.empty();
      for (int page = 0; page < 6; page++) {
        List<DeadLetter> letters = store.deadLetters().list(DeadLetterFilter.all(), mark, 1);
        letters.forEach(letter -> listed.add(letter.id()));
        mark = letters.stream().findFirst().map(DeadLetter::mark);
      }
      assertThat(listed).hasSize(6).doesNotHaveDuplicates();
      assertThat(store.deadLetters().list(DeadLetterFilter.all(), mark, 10)).isEmpty();
      assertThat(store.deadLetters().discard(listed, new Decision("on-call", "gone")))
          .containsExactlyInAnyOrderElementsOf(listed);
    }
    assertThat(database.outbox().countDocuments()).isZero();
  }

  /** The last of a page is gone when the next page is asked for. */
  @ParameterizedTest
  @ValueSource(strings = {"'rule-%03d'", "%d", "{$oid: '5f43a1b2c3d4e5f60718%04d'}"})
  void allDeadLettersOfOneMomentAreDiscarded(String id) {
    for (int i = 0; i < 230; i++) {
      insert(id.formatted(i), "FAILED", "{retryCount: 5}");
    }
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      long discarded =
          OutboxAdmin.over(store)
              .discardAll(
                  DeadLetterFilter.all(), new Decision("operator", "old"), BulkProgress.SILENT);

      assertThat(discarded).isEqualTo(230);
      assertThat(dead(store)).isEmpty();
      assertThat(database.outbox().countDocuments()).isZero();
    }
  }

  @Test
  void anEditedDeadLetterMayKeepWhatMakesItUnique() {
    Message message =
        Message.event("RuleExecutedEvent")
            .to("recurring_rules")
            .aggregate("RecurringRule", "RR10000001")
            .json("{\"occurredAt\":\"2026-01-05T10:30:00Z\",\"amount\":-1}")
            .build();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      append(store, message);
      Claim claim = claim(store, 1).get(0);
      assertThat(store.settle(List.of(new Settlement.Dead(claim, "negative amount", false))))
          .isEmpty();

      Message edited =
          OutboxAdmin.over(store)
              .edit(
                  message.id(),
                  builder -> builder.json("{\"occurredAt\":\"2026-01-05T10:30:00Z\",\"amount\":1}"),
                  new Decision("operator", "it was positive"));

      assertThat(claim(store, 10)).extracting(Claim::id).containsExactly(edited.id());
      assertThat(dead(store)).isEmpty();
    }
  }

  @Test
  void whatIsAppendedLooksLikeADocumentOfTheOldApplication() {
    Message message =
        Message.event("RuleDeletedEvent")
            .to("recurring_rules")
            .aggregate("RecurringRule", "RR7")
            .key("RR7")
            .json("{\"amount\":{\"amount\":8500.00,\"currency\":\"PLN\"},\"n\":3}")
            .build();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      append(store, message);

      BsonDocument document = document(message.id());
      assertThat(document.keySet())
          .containsExactlyInAnyOrder(
              "_id",
              "aggregateType",
              "aggregateId",
              "eventType",
              "payload",
              "status",
              "targetTopic",
              "createdAt",
              "processedAt",
              "retryCount",
              "maxRetries",
              "nextRetryAt",
              "lastError",
              "postroad_lease_token");
      assertThat(document.getBinary("_id").asUuid()).isEqualTo(message.id());
      assertThat(document.getDocument("payload").getDocument("amount").isDecimal128("amount"))
          .isTrue();
      assertThat(claim(store, 1).get(0).message()).isEqualTo(message);
    }
  }

  @Test
  void whatJsonDoesNotHaveComesAsText() {
    insert(
        "PENDING",
        """
        {payload: {amount: {$numberDecimal: '8500.00'}, at: {$date: '2026-01-05T10:30:00Z'},
          id: {$uuid: '550e8400-e29b-41d4-a716-446655440001'}, n: {$numberLong: '5'}, x: 10.0,
          y: 0.5, gone: null, list: [true, "\\"q\\""], oid: {$oid: '65a1b2c3d4e5f60718293a4b'}}}
        """);
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 1).get(0).message().payload().text())
          .contains(
              "{\"amount\":8500.00,\"at\":\"2026-01-05T10:30:00Z\","
                  + "\"id\":\"550e8400-e29b-41d4-a716-446655440001\",\"n\":5,\"x\":10,\"y\":0.5,"
                  + "\"gone\":null,\"list\":[true,\"\\\"q\\\"\"],"
                  + "\"oid\":\"65a1b2c3d4e5f60718293a4b\"}");
    }
  }

  /** Signatures and hashes are over the text as it was. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ \"a\" : 1 }",
        "{\"a\":1e5}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":123456789012345678901234567890123456789012345678}",
        "{\"$oid\":\"x\",\"a.b\":{\"$date\":1}}",
        "{\"a\":\"\\u00e9\\/\"}",
        "[1,2]",
        "\"text\"",
        "eyJhIjoxfQ==",
        "{broken"
      })
  void whatIsSentIsWhatWasAppended(String json) {
    Message message = Message.event("E").to("t").json(json).build();
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      append(store, message);
      assertThat(claim(store, 1).get(0).message()).isEqualTo(message);
    }
  }

  @Test
  void aDocumentThatIsNoMessageIsADeadLetter() {
    UUID broken = insert("PENDING", "{targetTopic: null}");
    UUID empty = insert("PENDING", "{payload: null}");
    UUID fine = insert("PENDING", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 10)).extracting(Claim::id).containsExactly(fine);
      assertThat(dead(store)).extracting(DeadLetter::id).containsExactlyInAnyOrder(broken, empty);
      assertThat(document(broken).getString("lastError").getValue()).contains("targetTopic");
      assertThat(document(empty).getString("lastError").getValue()).contains("payload");
    }
  }

  @Test
  void aClaimOfTheOldPollerIsTakenOverOnlyWhenItWasSeenForLong() {
    UUID id = insert("PROCESSING", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      assertThat(claim(store, 10)).isEmpty();
      assertThat(document(id).getString("status").getValue()).isEqualTo("PROCESSING");
      assertThat(document(id).isDateTime("postroad_stranger_until")).isTrue();
      database.advance(Duration.ofMinutes(4));
      assertThat(claim(store, 10)).isEmpty();
      database.advance(Duration.ofMinutes(2));

      List<Claim> claims = claim(store, 10);

      assertThat(claims).extracting(Claim::id).containsExactly(id);
      assertThat(claims.get(0).attempt()).as("the other one counts").isEqualTo(2);
      assertThat(document(id).containsKey("postroad_stranger_until")).isFalse();
    }
  }

  /** The old application saves whole documents, and so removes what it does not know. */
  @Test
  void aClaimThatTheOldPollerOverwroteNoLongerHolds() {
    UUID id = insert("PENDING", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      Claim claim = claim(store, 1).get(0);
      database.update("{}", "{$set: {status: 'SENT'}}");

      assertThat(store.settle(List.of(new Settlement.Retry(claim, Duration.ZERO, "late"))))
          .containsExactly(id);
      assertThat(document(id).getString("status").getValue()).isEqualTo("SENT");
    }
  }

  @Test
  void itsOwnExpiryIsLeftToIt() {
    UUID id = insert("SENT", "{processedAt: {$date: '2126-01-05T10:31:00Z'}}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      database.advance(Duration.ofDays(365 * 200));
      assertThat(store.purge(Duration.ofDays(1), 10).messages()).isZero();
      assertThat(document(id)).isNotNull();
      assertThat(indexes()).doesNotContain("postroad_delivered_idx");
    }
  }

  private List<String> indexes() {
    return database
        .outbox()
        .listIndexes(BsonDocument.class)
        .map(index -> index.getString("name").getValue())
        .into(new ArrayList<>());
  }

  @Test
  void aSchemaThatIsMissingIsRefusedWithTheScriptThatMakesIt() {
    insert("PENDING", "{}");
    BsonDocument before = database.outbox().find().first();
    MongoOptions verify = database.options().withSchemaMode(SchemaMode.VERIFY);

    String refused = "";
    try (MongoCompetingStore store = database.open(LAYOUT, verify)) {
      assertThat(store).as("it is refused").isNull();
    } catch (SchemaException expected) {
      refused = String.valueOf(expected.getMessage());
    }
    assertThat(refused).contains("postroad_due_idx", "SchemaMode.MIGRATE", "mongosh");
    assertThat(indexes()).as("nothing was changed").hasSize(5);

    SchemaSteps.commands(refused).forEach(command -> database.database().runCommand(command));
    try (MongoCompetingStore store = database.open(LAYOUT, verify)) {
      assertThat(store.examine()).isEmpty();
      assertThat(database.outbox().find().first()).as("no document is changed").isEqualTo(before);
      assertThat(indexes())
          .contains(
              "idx_outbox_pending",
              "idx_outbox_retry",
              "idx_outbox_sent_ttl",
              "idx_outbox_unique_event");
      assertThat(claim(store, 1)).hasSize(1);
    }
  }

  @Test
  void aFieldThatNoDocumentHasIsRefused() {
    Layout wrong = LAYOUT.with(Field.TENANT, "tenantId").with(Field.DESTINATION, "topic");
    try (MongoCompetingStore empty = database.open(wrong)) {
      assertThat(claim(empty, 1)).isEmpty();
    }
    insert("PENDING", "{}");
    assertThatThrownBy(() -> database.open(wrong))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'topic'")
        .hasMessageContaining("DESTINATION");
  }

  @Test
  void aStatusThatTheLayoutDoesNotKnowIsRefused() {
    insert("ARCHIVED", "{}");
    assertThatThrownBy(() -> database.open(LAYOUT))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'status'")
        .hasMessageContaining("'ARCHIVED'");
  }

  @ParameterizedTest
  @CsvSource({
    "nextRetryAt, '2026-01-05T10:30:00Z'",
    "createdAt, '2026-01-05T10:30:00Z'",
    "processedAt, 1767609000000",
    "retryCount, 'two'"
  })
  void aFieldOfAnotherTypeIsRefused(String field, String value) {
    insert(
        "PENDING", "{%s: %s}".formatted(field, value.matches("\\d+") ? value : "'" + value + "'"));
    assertThatThrownBy(() -> database.open(LAYOUT))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'" + field + "'")
        .hasMessageContaining("nothing was changed");
  }

  @Test
  void legacyUuidsAreRefused() {
    insert("{$binary: {base64: 'VQ6EAOKbQdSnFkRmVUQAAQ==', subType: '03'}}", "PENDING", "{}");
    assertThatThrownBy(() -> database.open(LAYOUT))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'_id'")
        .hasMessageContaining("legacy");
  }

  @Test
  void aValidatorThatRefusesOurFieldsIsRefused() {
    database.run(
        """
        {collMod: "outbox", validator: {$jsonSchema: {
          properties: {_id: {}, status: {}, payload: {}}, additionalProperties: false}}}
        """);
    assertThatThrownBy(() -> database.open(LAYOUT))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("validator");
    database.run("{collMod: 'outbox', validator: {status: {$type: 'string'}}}");
    database.open(LAYOUT).close();
    assertThat(database.outbox().countDocuments()).as("the try leaves nothing").isZero();
  }

  @Test
  void orderIsRefused() {
    assertThatThrownBy(() -> database.open(LAYOUT.withOrdered(true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MongoOrderedStore");
  }

  @Test
  void whatCannotBeALayoutOfACollectionIsRefused() {
    Layout noStatus =
        Layout.of("x", "outbox", Statuses.of("A", "B", "C"))
            .with(Field.ID, "_id")
            .with(Field.PAYLOAD, "payload")
            .with(Field.DESTINATION, "topic");
    assertThatThrownBy(() -> database.open(noStatus))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("STATUS");
    assertThatThrownBy(() -> database.open(noStatus.with(Field.STATUS, "s").with(Field.ID, "id")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'_id'");
    assertThatThrownBy(
            () ->
                database.open(
                    LAYOUT, database.options().withDeadLetters(MongoOptions.DeadLetters.MOVE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("KEEP");
    assertThatThrownBy(() -> database.open(LAYOUT.withTable("postroad_outbox")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prefix");
  }

  /** Decision 19. */
  @Test
  void theSameEventTwiceIsAnErrorThatSaysWhatToDo() {
    Message.Builder event =
        Message.event("RuleCreatedEvent")
            .to("recurring_rules")
            .aggregate("RecurringRule", "RR1")
            .json("{\"occurredAt\":\"2026-01-05T10:30:00.001Z\"}");
    try (MongoCompetingStore store = database.open(LAYOUT);
        ClientSession session = database.client().startSession()) {
      append(store, event.id(UUID.randomUUID()).build());
      session.startTransaction();
      assertThatThrownBy(
              () ->
                  store.append(
                      session, List.of(event.id(UUID.randomUUID()).build()), Duration.ofHours(1)))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("idx_outbox_unique_event")
          .hasMessageContaining("roll it back");
      session.abortTransaction();

      append(
          store,
          event
              .id(UUID.randomUUID())
              .json("{\"occurredAt\":\"2026-01-05T10:30:00.002Z\"}")
              .build());
      assertThat(database.outbox().countDocuments()).isEqualTo(2);
    }
  }

  @Test
  void anIdThatIsStoredIsNamed() {
    Message message = Message.event("E").to("t").json("{}").build();
    insert("{$oid: '65a1b2c3d4e5f60718293a4b'}", "SENT", "{}");
    try (MongoCompetingStore store = database.open(LAYOUT)) {
      append(store, message);
      assertThat(database.document("{_id: {$type: 'objectId'}, eventType: 'E'}"))
          .as("an id of the collection's kind")
          .isNotNull();
      assertThatThrownBy(() -> append(store, message))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("a message with this id is stored already");
      Claim claim = claim(store, 1).get(0);
      assertThat(claim.message()).isEqualTo(message);
      assertThat(store.settle(List.of(new Settlement.Delivered(claim)))).isEmpty();
    }
  }

  @Test
  void nothingYoungerThanTheLayoutSaysIsClaimed() {
    Message message = Message.event("E").to("t").json("{}").build();
    try (MongoCompetingStore store = database.open(LAYOUT.withMinAge(Duration.ofMinutes(10)))) {
      append(store, message);
      assertThat(claim(store, 1)).isEmpty();
      database.advance(Duration.ofMinutes(11));
      assertThat(claim(store, 1)).hasSize(1);
    }
  }

  @Test
  void onlyOneNodeClaimsWhereTheLayoutIsExclusive() {
    insert("PENDING", "{}");
    insert("PENDING", "{}");
    insert("PENDING", "{}");
    Layout exclusive = LAYOUT.withExclusive(true);
    try (MongoCompetingStore other = database.open(exclusive)) {
      try (MongoCompetingStore store = database.open(exclusive)) {
        assertThat(claim(store, 1)).hasSize(1);
        assertThat(claim(other, 1)).isEmpty();
        assertThat(claim(store, 1)).hasSize(1);
      }
      assertThat(claim(other, 1)).as("closing lets it go").hasSize(1);
    }
  }

  @Test
  void theExclusiveClaimOfADeadNodeEnds() {
    insert("PENDING", "{}");
    insert("PENDING", "{}");
    insert("PENDING", "{}");
    Layout exclusive = LAYOUT.withExclusive(true);
    try (MongoCompetingStore other = database.open(exclusive);
        MongoCompetingStore store = database.open(exclusive)) {
      assertThat(claim(store, 1)).hasSize(1);
      database.advance(Duration.ofMinutes(2));
      assertThat(other.claim(new ClaimRequest("other", 2, Duration.ofMinutes(1)))).hasSize(2);
      assertThat(claim(store, 1)).as("it is the other's now").isEmpty();
    }
  }
}
