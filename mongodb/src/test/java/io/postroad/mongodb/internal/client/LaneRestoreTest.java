package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.LanePosition;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Databases that were restored from a backup: repeat, never lose. */
final class LaneRestoreTest {
  private static final OrderedDatabase DATABASE = OrderedDatabase.fresh("restore");
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Message first = OrderedDatabase.message("k");
  private final Message second = OrderedDatabase.message("k");
  private final Message third = OrderedDatabase.message("k");
  private MongoOrderedStore store;
  private LaneLease lease;

  @BeforeEach
  void open() {
    DATABASE.reset(1);
    store = DATABASE.open();
    lease = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    DATABASE.append(store, first, second);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  /** All from one moment: an owner that has read more than that must not go on. */
  @Test
  void anOwnerThatRemembersMoreThanTheDatabaseLosesItsLane() {
    LanePosition end = store.log().read(lease, lease.position(), 10).end();
    setBack("{$set: {seq: {$numberLong: '1'}}}");
    DATABASE.collection(Names.LOG).deleteOne(BsonDocument.parse("{_id: {$numberLong: '2'}}"));

    assertThatThrownBy(() -> store.log().read(lease, end, 10))
        .isInstanceOf(LaneLostException.class);

    DATABASE.append(store, third);
    LaneLease next = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    assertThat(next.rescan()).isEmpty();
    assertThat(read(next)).containsExactly(first, third);
  }

  /** Collections from different moments: the position is ahead of the counter. */
  @Test
  void aPositionThatIsAheadOfTheCounterGoesBack() {
    store.log().advance(lease, store.log().read(lease, lease.position(), 10).end(), List.of());
    setBack("{$set: {seq: {$numberLong: '1'}}}");

    LaneLease next = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    assertThat(next.rescan()).isPresent();
    DATABASE.append(store, third);
    LaneLease afterACrash = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    assertThat(afterACrash.rescan()).as("said once").isEmpty();
    assertThat(read(afterACrash)).containsExactly(first, second, third);
  }

  /** Collections from different moments: the log is ahead of the counter. */
  @Test
  void aCounterThatIsBehindTheLogIsRaised() {
    setBack("{$set: {seq: {$numberLong: '0'}}}");

    LaneLease next = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    DATABASE.append(store, third);

    assertThat(next.rescan()).isEmpty();
    assertThat(read(next)).containsExactly(first, second, third);
  }

  /** As many new messages as are held back: their places are those of the held ones, no higher. */
  @Test
  void newMessagesOfABlockedKeyAreNotTakenForHeldOnesWhenTheCounterGoesBack() {
    holdBack(lease);
    assertThat(store.purge(Duration.ZERO, 10).messages()).isEqualTo(2);
    setBack("{$set: {seq: {$numberLong: '0'}}}");
    Message fourth = OrderedDatabase.message("k");
    DATABASE.append(store, third, fourth);

    assertThatThrownBy(() -> store.lanes().renew(lease, LEASE))
        .isInstanceOf(LaneLostException.class);

    LaneLease next = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    assertThat(next.rescan())
        .hasValueSatisfying(why -> assertThat(why).contains("2 message(s)", "moved to the end"));
    assertThat(read(next)).containsExactly(third, fourth);
    holdBack(next);
    assertThat(store.blockedMessages().take(next, 10))
        .extracting(Claim::message)
        .containsExactly(first, second, third, fourth);
    assertThat(store.lanes().take(0, "node-1", LEASE).orElseThrow().rescan()).isEmpty();
  }

  /** A node that dies after it took the position back leaves a counter that is behind the held. */
  @Test
  void aCounterBehindWhatIsHeldBackIsRaised() {
    holdBack(lease);
    store.purge(Duration.ZERO, 10);
    setBack("{$set: {seq: {$numberLong: '0'}}}");
    DATABASE
        .collection(Names.LANE)
        .updateOne(
            BsonDocument.parse("{_id: 0}"),
            BsonDocument.parse("{$set: {head: {$numberLong: '0'}, floor: {$numberLong: '0'}}}"));

    LaneLease next = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    DATABASE.append(store, third);
    holdBack(next);

    assertThat(store.blockedMessages().take(next, 10))
        .extracting(Claim::message)
        .containsExactly(first, second, third);
  }

  private void holdBack(LaneLease owner) {
    LaneBatch batch = store.log().read(owner, owner.position(), 10);
    store
        .log()
        .advance(
            owner,
            batch.end(),
            batch.entries().stream()
                .<Settlement>map(
                    entry -> new Settlement.Release(entry.claim(), Duration.ZERO, "not yet"))
                .toList());
  }

  private static void setBack(String update) {
    DATABASE
        .collection(Names.COUNTER)
        .updateOne(BsonDocument.parse("{_id: 0}"), BsonDocument.parse(update));
  }

  private List<Message> read(LaneLease owner) {
    return store.log().read(owner, owner.position(), 10).entries().stream()
        .map(LaneEntry::message)
        .toList();
  }
}
