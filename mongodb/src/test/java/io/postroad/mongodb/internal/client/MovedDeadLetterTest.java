package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.postroad.message.Message;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Dead letters of the queue that are kept in a box of their own, or in both places. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MovedDeadLetterTest {
  private static final Decision DECISION = new Decision("on-call", "topic was created");

  private final CommandHook hook = new CommandHook();
  private TestDatabase database;
  private MongoClient client;
  private MongoCompetingStore keeping;
  private MongoCompetingStore moving;

  @BeforeAll
  void create() {
    database = TestDatabase.migrated("moved");
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(
                    new ConnectionString(MongoServer.shared().connectionString()))
                .addCommandListener(hook)
                .build());
    keeping = database.open();
    moving =
        MongoCompetingStore.open(
            client, database.options().withDeadLetters(MongoOptions.DeadLetters.MOVE));
  }

  @BeforeEach
  void empty() {
    database.reset();
  }

  @AfterAll
  void close() {
    keeping.close();
    moving.close();
    client.close();
    database.close();
  }

  @Test
  void aReplayedOneIsBackInTheOutboxAsItWas() {
    Message message = append(moving);
    Claim claim = kill(moving);

    assertThat(moving.deadLetters().replay(List.of(message.id()), DECISION))
        .containsExactly(message.id());

    assertThat(count(Names.DEAD)).isZero();
    Claim again = claim(moving);
    assertThat(again.message()).isEqualTo(message);
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.token()).isGreaterThan(claim.token());
    assertThat(again.appendedAt()).isEqualTo(claim.appendedAt());
    assertThat(moving.settle(List.of(new Settlement.Delivered(claim)))).hasSize(1);
    assertThat(moving.settle(List.of(new Settlement.Delivered(again)))).isEmpty();
    assertThat(document(Names.OUTBOX, message.id()).containsKey("settled_at")).isTrue();
  }

  @Test
  void aReplacementComesIntoTheOutboxAndTheDeadLetterGoes() {
    Message message = append(moving);
    Claim claim = kill(moving);
    Message edited = message();

    assertThat(moving.deadLetters().replace(message.id(), edited, DECISION)).isTrue();

    assertThat(count(Names.DEAD)).isZero();
    Claim again = claim(moving);
    assertThat(again.message()).isEqualTo(edited);
    assertThat(again.appendedAt()).isEqualTo(claim.appendedAt());
    assertThat(count(Names.OUTBOX)).isEqualTo(1);
  }

  @Test
  void discardingTakesThemFromBothPlaces() {
    Message kept = append(keeping);
    kill(keeping);
    Message moved = append(moving);
    kill(moving);

    assertThat(moving.deadLetters().discard(List.of(kept.id(), moved.id()), DECISION))
        .containsExactlyInAnyOrder(kept.id(), moved.id());

    assertThat(count(Names.DEAD)).isZero();
    assertThat(count(Names.OUTBOX)).isZero();
  }

  /** As after a change of the setting. */
  @Test
  void bothPlacesAreListedAsOne() {
    List<UUID> killed = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      MongoCompetingStore store = i % 2 == 0 ? keeping : database.open(moving());
      killed.add(append(store).id());
      kill(store);
      database.advance(Duration.ofSeconds(1));
    }
    assertThat(count(Names.DEAD)).isEqualTo(3);

    List<UUID> listed = new ArrayList<>();
    Optional<DeadLetter.Mark> mark = Optional.empty();
    for (List<DeadLetter> page = list(mark, 2); !page.isEmpty(); page = list(mark, 2)) {
      page.forEach(letter -> listed.add(letter.id()));
      mark = Optional.of(page.get(page.size() - 1).mark());
    }

    assertThat(listed).containsExactlyElementsOf(killed);
  }

  /** What is in the outbox counts: it may have been replayed where there are no transactions. */
  @Test
  void aCopyOfWhatIsInTheOutboxIsNoDeadLetter() {
    Message message = append(moving);
    kill(moving);
    BsonDocument copy = document(Names.DEAD, message.id());
    moving.deadLetters().replay(List.of(message.id()), DECISION);
    database.collection(Names.DEAD).insertOne(copy);

    assertThat(list(Optional.empty(), 10)).isEmpty();
    assertThat(moving.deadLetters().find(message.id())).isEmpty();
    assertThat(moving.deadLetters().discard(List.of(message.id()), DECISION)).isEmpty();
    assertThat(moving.find(message.id()).orElseThrow().status()).isEqualTo(MessageStatus.PENDING);
    assertThat(count(Names.DEAD)).as("and the copy is gone").isZero();
  }

  @Test
  void oneThatIsReplayedWhileItIsMovedIsInOnePlace() {
    Message message = append(moving);
    hook.before(
        "update",
        Names.DEAD,
        () -> assertThat(keeping.deadLetters().replay(List.of(message.id()), DECISION)).hasSize(1));

    kill(moving);

    assertThat(count(Names.DEAD)).isZero();
    assertThat(moving.find(message.id()).orElseThrow().status()).isEqualTo(MessageStatus.PENDING);
  }

  @Test
  void whoeverMakesAMessageDueSaysSo() {
    Message replayed = append(keeping);
    kill(keeping);
    Message replaced = append(keeping);
    kill(keeping);

    assertHint(() -> keeping.deadLetters().replay(List.of(replayed.id()), DECISION));
    assertHint(() -> keeping.deadLetters().replace(replaced.id(), message(), DECISION));
  }

  private void assertHint(Runnable verb) {
    AtomicInteger hints = new AtomicInteger();
    try (WakeUps.Subscription unused = keeping.wakeUps().subscribe(hints::incrementAndGet)) {
      verb.run();
      assertThat(hints).hasPositiveValue();
    }
  }

  /** Else one that cannot be moved would keep everything that was ever delivered. */
  @Test
  void aPurgeGoesOnWhereDeadLettersCannotBeMoved() {
    append(keeping);
    kill(keeping);
    append(keeping);
    keeping.settle(List.of(new Settlement.Delivered(claim(keeping))));
    validateTheDead("{never: true}");
    try {
      assertThat(moving.purge(Duration.ZERO, 10).messages()).isEqualTo(1);
    } finally {
      validateTheDead("{}");
    }
    assertThat(count(Names.OUTBOX)).isEqualTo(1);

    assertThat(moving.purge(Duration.ZERO, 10).messages()).isZero();
    assertThat(count(Names.OUTBOX)).isZero();
    assertThat(count(Names.DEAD)).isEqualTo(1);
  }

  private void validateTheDead(String validator) {
    client
        .getDatabase(database.options().database())
        .runCommand(
            new BsonDocument("collMod", new BsonString(Names.DEAD))
                .append("validator", BsonDocument.parse(validator)));
  }

  @Test
  void oneThatIsNoMessageIsShownAndCanBeMendedOrDiscarded() {
    Message message = append(keeping);
    edit(message, "category", "nonsense");
    assertThat(keeping.claim(new ClaimRequest("node", 1, Duration.ofMinutes(1)))).isEmpty();

    DeadLetter letter = list(Optional.empty(), 10).get(0);
    assertThat(letter.id()).isEqualTo(message.id());
    assertThat(letter.message().type()).isEqualTo("postroad.unreadable");
    assertThat(letter.message().destination()).isEqualTo("orders");
    assertThat(letter.error()).contains("cannot be read as a message");
    assertThat(keeping.deadLetters().find(message.id())).contains(letter);

    edit(message, "category", "event");
    assertThat(keeping.deadLetters().replay(List.of(message.id()), DECISION)).hasSize(1);
    assertThat(claim(keeping).message()).isEqualTo(message);
  }

  @Test
  void oneWithoutAUsableDestinationIsShownToo() {
    Message message = append(keeping);
    edit(message, "destination", 7);
    assertThat(keeping.claim(new ClaimRequest("node", 1, Duration.ofMinutes(1)))).isEmpty();

    assertThat(list(Optional.empty(), 10).get(0).message().destination()).isEqualTo("unknown");
    assertThat(keeping.deadLetters().discard(List.of(message.id()), DECISION)).hasSize(1);
    assertThat(count(Names.OUTBOX)).isZero();
  }

  private void edit(Message message, String field, Object value) {
    database
        .collection(Names.OUTBOX)
        .updateOne(Filters.eq("_id", MessageDocument.id(message.id())), Updates.set(field, value));
  }

  private MongoOptions moving() {
    return database.options().withDeadLetters(MongoOptions.DeadLetters.MOVE);
  }

  private List<DeadLetter> list(Optional<DeadLetter.Mark> after, int limit) {
    return moving.deadLetters().list(DeadLetterFilter.all(), after, limit);
  }

  private static Message message() {
    return Message.event("OrderPlaced").to("orders").json("{}").build();
  }

  private static Message append(MongoCompetingStore store) {
    Message message = message();
    store
        .transactions()
        .run(session -> store.append(session, List.of(message), Duration.ofHours(1)));
    return message;
  }

  private static Claim claim(MongoCompetingStore store) {
    return store.claim(new ClaimRequest("node", 1, Duration.ofMinutes(1))).get(0);
  }

  private static Claim kill(MongoCompetingStore store) {
    Claim claim = claim(store);
    assertThat(store.settle(List.of(new Settlement.Dead(claim, "no such topic")))).isEmpty();
    return claim;
  }

  private long count(String collection) {
    return database.collection(collection).countDocuments();
  }

  private BsonDocument document(String collection, UUID id) {
    return database
        .database()
        .latest(collection)
        .find(Filters.eq("_id", MessageDocument.id(id)))
        .first();
  }
}
