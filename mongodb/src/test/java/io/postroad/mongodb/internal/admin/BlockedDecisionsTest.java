package io.postroad.mongodb.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.postroad.message.Message;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people decide about dead letters of lanes, where MongoDB has ways of its own. */
final class BlockedDecisionsTest {
  private static final Decision DECISION = new Decision("on-call", "topic was created");
  private static final CommandHook HOOK = new CommandHook();
  private static final OrderedDatabase DATABASE = OrderedDatabase.fresh("decisions", HOOK);

  private MongoOrderedStore store;
  private LaneLease lease;
  private LanePosition position;

  @BeforeEach
  void open() {
    DATABASE.reset(1);
    store = DATABASE.open();
    lease = store.lanes().take(0, "node", Duration.ofHours(1)).orElseThrow();
    position = lease.position();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  /** Else a settlement could pass it and both would decide how the key stands. */
  @Test
  void aDecisionKeepsTheLanesOwnerOutUntilItEnds() {
    Message dead = OrderedDatabase.message("k");
    kill(dead);
    List<Boolean> conflicts = new ArrayList<>();
    HOOK.before("delete", Names.HELD, () -> conflicts.add(meetsTheLane()));

    store.deadLetters().discard(List.of(dead.id()), DECISION);

    assertThat(conflicts).containsExactly(true);
    assertThat(meetsTheLane()).as("afterwards").isFalse();
  }

  /** A look at the lease alone would let a new owner in between. */
  @Test
  void openingADestinationWritesTheLanesDocument() {
    Message waiting = OrderedDatabase.message("k");
    DATABASE.append(store, waiting);
    hold(new Settlement.Blocked(read(waiting), "orders is down"));
    List<Boolean> conflicts = new ArrayList<>();
    HOOK.before("update", Names.HELD_KEY, () -> conflicts.add(meetsTheLane()));

    assertThat(store.blockedMessages().open(lease, "orders", 10))
        .containsExactly(OrderKey.of(waiting));

    assertThat(conflicts).containsExactly(true);
  }

  /** Writes what every owner writes first. */
  private static boolean meetsTheLane() {
    try (MongoClient other = MongoClients.create(MongoServer.shared().connectionString());
        ClientSession session = other.startSession()) {
      session.startTransaction();
      Database database = DATABASE.database();
      other
          .getDatabase(database.options().database())
          .getCollection(Names.LANE)
          .updateOne(session, Filters.eq("_id", 0), Updates.currentDate("written_at"));
      session.abortTransaction();
      return false;
    } catch (MongoException conflict) {
      assertThat(MongoErrors.isTransient(conflict)).isTrue();
      return true;
    }
  }

  /** It has a lower place than the dead letter, but came later. */
  @Test
  void aStragglerBeforeADeadLetterDoesNotHideIt() {
    Message late = OrderedDatabase.message("k");
    Message dead = OrderedDatabase.message("k");
    try (ClientSession open = DATABASE.begin()) {
      store.append(open, List.of(late), OrderedDatabase.DAY);
      kill(dead);
      open.commitTransaction();
    }
    hold(new Settlement.Release(read(late), Duration.ZERO, "waits"));

    assertThat(store.blockedKeys().list(Optional.empty(), 10))
        .extracting(BlockedKey::deadLetter)
        .containsExactly(dead.id());
    assertThat(store.deadLetters().find(dead.id()).orElseThrow().blocksKey()).isTrue();
    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();

    assertThat(store.blockedKeys().skip(List.of(dead.id()), DECISION)).containsExactly(dead.id());
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(late);
  }

  /** replay, MUST 2, for one that a held attempt was made with. */
  @Test
  void aSettlementFromBeforeAReplayChangesNothing() {
    Message message = OrderedDatabase.message("k");
    DATABASE.append(store, message);
    hold(new Settlement.Retry(read(message), Duration.ZERO, "again"));
    Claim old = store.blockedMessages().take(lease, 10).get(0);
    store.blockedMessages().settle(lease, List.of(new Settlement.Dead(old, "dead")));
    store.deadLetters().replay(List.of(message.id()), DECISION);

    store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(old)));
    assertThat(store.find(message.id()).orElseThrow().status()).isEqualTo(MessageStatus.PENDING);
    Claim now = store.blockedMessages().take(lease, 10).get(0);
    assertThat(store.blockedMessages().settle(lease, List.of(new Settlement.Dead(old, "late"))))
        .isEmpty();
    assertThat(store.deadLetters().find(message.id())).isEmpty();

    assertThat(store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(now))))
        .containsExactly(OrderKey.of(message));
  }

  @Test
  void anAttemptIsSettledOnce() {
    Message message = OrderedDatabase.message("k");
    DATABASE.append(store, message);
    hold(new Settlement.Retry(read(message), Duration.ZERO, "again"));
    Claim claim = store.blockedMessages().take(lease, 10).get(0);
    store
        .blockedMessages()
        .settle(lease, List.of(new Settlement.Retry(claim, Duration.ZERO, "and again")));

    assertThat(store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(claim))))
        .isEmpty();

    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(message);
  }

  @Test
  void aSkippedOneComesBackAtOnceBeforeOneThatWaitsForItsRetry() {
    Message first = OrderedDatabase.message("k");
    kill(first);
    store.blockedKeys().skip(List.of(first.id()), DECISION);
    Message second = OrderedDatabase.message("k");
    DATABASE.append(store, second);
    hold(new Settlement.Retry(read(second), Duration.ofHours(1), "later"));

    store.deadLetters().replay(List.of(first.id()), DECISION);

    assertThat(store.blockedMessages().take(lease, 1))
        .extracting(Claim::message)
        .containsExactly(first);
  }

  @Test
  void aSkippedOneComesBackAtOnceBeforeOneThatWaitsForItsDestination() {
    Message first = OrderedDatabase.message("k");
    kill(first);
    store.blockedKeys().skip(List.of(first.id()), DECISION);
    Message second = OrderedDatabase.message("k");
    DATABASE.append(store, second);
    hold(new Settlement.Blocked(read(second), "orders is down"));

    store.deadLetters().replay(List.of(first.id()), DECISION);

    assertThat(store.blockedMessages().destinations(lease)).isEmpty();
    assertThat(store.blockedMessages().keys(lease)).containsExactly(OrderKey.of(first));
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(first, second);
  }

  /** Only its first message decides whether a key waits for its destination. */
  @Test
  void replayingOneBehindTheFirstLeavesTheKeySetAside() {
    Message first = OrderedDatabase.message("k");
    Message second = OrderedDatabase.message("k");
    DATABASE.append(store, first, second);
    List<LaneEntry> entries = readAll();
    hold(
        new Settlement.Blocked(entries.get(0).claim(), "orders is down"),
        new Settlement.Dead(entries.get(1).claim(), "dead"));

    assertThat(store.deadLetters().replay(List.of(second.id()), DECISION)).hasSize(1);

    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();
    assertThat(store.blockedMessages().open(lease, "orders", 10)).hasSize(1);
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(first, second);
  }

  /** Its key went on; replayed, it is before what waits now, also where that is dead. */
  @Test
  void aSkippedOneComesBackBeforeAnotherDeadLetterOfItsKey() {
    Message first = OrderedDatabase.message("k");
    kill(first);
    store.blockedKeys().skip(List.of(first.id()), DECISION);
    Message second = OrderedDatabase.message("k");
    kill(second);

    store.deadLetters().replay(List.of(first.id()), DECISION);

    assertThat(store.blockedKeys().summary().keys()).isZero();
    List<Claim> claims = store.blockedMessages().take(lease, 10);
    assertThat(claims).extracting(Claim::message).containsExactly(first);
    assertThat(
            store.blockedMessages().settle(lease, List.of(new Settlement.Delivered(claims.get(0)))))
        .isEmpty();
    assertThat(store.blockedKeys().list(Optional.empty(), 10))
        .extracting(BlockedKey::deadLetter)
        .containsExactly(second.id());
  }

  /** A key that waits for a retry is not hurried by what is replayed behind its first. */
  @Test
  void replayingOneBehindTheFirstLeavesTheKeysTimeAlone() {
    Message first = OrderedDatabase.message("k");
    Message second = OrderedDatabase.message("k");
    DATABASE.append(store, first, second);
    List<LaneEntry> entries = readAll();
    hold(
        new Settlement.Retry(entries.get(0).claim(), Duration.ofHours(1), "later"),
        new Settlement.Dead(entries.get(1).claim(), "dead"));
    assertThat(store.deadLetters().find(second.id()).orElseThrow().blocksKey()).isFalse();

    assertThat(store.blockedKeys().skip(List.of(second.id()), DECISION)).isEmpty();
    assertThat(store.deadLetters().replay(List.of(second.id()), DECISION)).hasSize(1);

    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();
    DATABASE.advance(Duration.ofHours(2));
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(first, second);
  }

  /** A rescan reads it again; its key must not wait for a message that stands elsewhere. */
  @Test
  void aSkippedOneThatIsHeldOnceMoreHoldsNoKey() {
    Message dead = OrderedDatabase.message("k");
    DATABASE.append(store, dead);
    Claim claim = read(dead);
    hold(new Settlement.Dead(claim, "dead", false));

    hold(new Settlement.Retry(claim, Duration.ZERO, "read again"));

    assertThat(store.blockedMessages().keys(lease)).isEmpty();
    assertThat(store.deadLetters().find(dead.id())).isPresent();
  }

  @Test
  void anUnreadableOneIsShownAndGoesToItsKeyOnceItIsMended() {
    Message broken = OrderedDatabase.message("k");
    DATABASE.append(store, broken);
    edit(Names.LOG, "{$set: {category: 'nonsense'}}");
    assertThat(readAll()).isEmpty();
    store.log().advance(lease, position, List.of());

    DeadLetter letter = letters().get(0);
    assertThat(letter.id()).isEqualTo(broken.id());
    assertThat(letter.message().type()).isEqualTo("postroad.unreadable");
    assertThat(letter.message().destination()).isEqualTo("orders");
    assertThat(letter.blocksKey()).isFalse();
    assertThat(store.blockedMessages().keys(lease)).isEmpty();

    edit(Names.HELD, "{$set: {category: 'event'}}");
    assertThat(store.deadLetters().replay(List.of(broken.id()), DECISION)).hasSize(1);
    assertThat(store.blockedMessages().keys(lease)).containsExactly(OrderKey.of(broken));
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(broken);
  }

  /** Even its id is gone; it gets one by which it can be found. */
  @Test
  void anUnreadableOneWithoutAnIdCanBeDiscarded() {
    DATABASE.append(store, OrderedDatabase.message("k"));
    edit(Names.LOG, "{$unset: {message_id: ''}}");
    assertThat(readAll()).isEmpty();
    store.log().advance(lease, position, List.of());

    DeadLetter letter = letters().get(0);
    assertThat(store.deadLetters().find(letter.id())).contains(letter);
    assertThat(store.deadLetters().discard(List.of(letter.id()), DECISION)).hasSize(1);

    assertThat(letters()).isEmpty();
    assertThat(store.backlog().dead()).isZero();
  }

  @Test
  void anUnreadableOneThatIsReplayedAsItIsDiesAgainAndHoldsUpNobody() {
    Message broken = OrderedDatabase.message("k");
    DATABASE.append(store, broken);
    edit(Names.LOG, "{$set: {category: 'nonsense'}}");
    assertThat(readAll()).isEmpty();
    store.log().advance(lease, position, List.of());

    assertThat(store.deadLetters().replay(List.of(broken.id()), DECISION)).hasSize(1);

    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();
    assertThat(letters()).extracting(DeadLetter::id).containsExactly(broken.id());
    assertThat(store.blockedMessages().keys(lease)).isEmpty();
  }

  /** Its followers must not pass it, and nobody looks at its key again and again. */
  @Test
  void aHeldOneThatIsEditedIntoNoMessageParksItsKey() {
    Message broken = OrderedDatabase.message("k");
    Message next = OrderedDatabase.message("k");
    DATABASE.append(store, broken, next);
    List<LaneEntry> entries = readAll();
    hold(
        new Settlement.Retry(entries.get(0).claim(), Duration.ZERO, "again"),
        new Settlement.Release(entries.get(1).claim(), Duration.ZERO, "waits"));
    edit(Names.HELD, "{$set: {category: 'nonsense'}}");

    assertThat(store.blockedMessages().take(lease, 10)).isEmpty();

    assertThat(store.blockedKeys().list(Optional.empty(), 10))
        .extracting(BlockedKey::deadLetter)
        .containsExactly(broken.id());
    assertThat(store.blockedKeys().skip(List.of(broken.id()), DECISION)).hasSize(1);
    assertThat(store.blockedMessages().take(lease, 10))
        .extracting(Claim::message)
        .containsExactly(next);
  }

  @Test
  void aReplacementKeepsTheIdOfAnyOtherMessageOut() {
    Message dead = OrderedDatabase.message("k");
    Message other = OrderedDatabase.message("k");
    kill(dead);
    DATABASE.append(store, other);

    assertThat(catchThrowable(() -> store.deadLetters().replace(dead.id(), other, DECISION)))
        .hasMessageContaining(other.id().toString());

    assertThat(store.deadLetters().find(dead.id())).isPresent();
    assertThat(store.blockedMessages().decisions(lease)).isZero();
  }

  @Test
  void whoeverMakesAKeyDueSaysSo() {
    Message replayed = OrderedDatabase.message("a");
    Message replaced = OrderedDatabase.message("b");
    Message discarded = OrderedDatabase.message("c");
    Message skipped = OrderedDatabase.message("d");
    Message released = OrderedDatabase.message("e");
    List.of(replayed, replaced, discarded, skipped, released).forEach(this::kill);

    assertHint(() -> store.deadLetters().replay(List.of(replayed.id()), DECISION));
    assertHint(
        () -> store.deadLetters().replace(replaced.id(), OrderedDatabase.message("b"), DECISION));
    assertHint(() -> store.deadLetters().discard(List.of(discarded.id()), DECISION));
    assertHint(() -> store.blockedKeys().skip(List.of(skipped.id()), DECISION));
    assertHint(() -> store.blockedKeys().release(OrderKey.of(released), DECISION));
    store.pauses().pause("orders", DECISION);
    assertHint(() -> store.pauses().resume("orders", DECISION));
  }

  private void assertHint(Runnable verb) {
    AtomicInteger hints = new AtomicInteger();
    try (WakeUps.Subscription unused = store.wakeUps().subscribe(hints::incrementAndGet)) {
      verb.run();
      assertThat(hints).hasPositiveValue();
    }
  }

  /** The document with the lowest place. */
  private static void edit(String collection, String update) {
    DATABASE
        .collection(collection)
        .updateOne(BsonDocument.parse("{_id: {$numberLong: '1'}}"), BsonDocument.parse(update));
  }

  private List<DeadLetter> letters() {
    return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
  }

  private void kill(Message message) {
    DATABASE.append(store, message);
    hold(new Settlement.Dead(read(message), "no such topic"));
  }

  private Claim read(Message expected) {
    List<LaneEntry> entries = readAll();
    assertThat(entries).extracting(LaneEntry::message).containsExactly(expected);
    return entries.get(0).claim();
  }

  private List<LaneEntry> readAll() {
    LaneBatch batch = store.log().read(lease, position, 100);
    position = batch.end();
    return batch.entries();
  }

  private void hold(Settlement... settlements) {
    store.log().advance(lease, position, List.of(settlements));
  }
}
