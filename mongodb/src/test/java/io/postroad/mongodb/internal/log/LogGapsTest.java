package io.postroad.mongodb.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.message.Message;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.LanePosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sequence numbers that were drawn and not seen: rolled back, still open, or closed by a tombstone.
 */
@Timeout(120)
final class LogGapsTest {
  private static final CommandHook HOOK = new CommandHook();
  private static final OrderedDatabase DATABASE = OrderedDatabase.fresh("gaps", HOOK);
  private static final Duration LEASE = Duration.ofMinutes(1);

  private MongoOrderedStore store;
  private GapCloser closer;
  private LaneLease lease;
  private LanePosition position;

  @BeforeEach
  void open() {
    DATABASE.reset(1);
    store = DATABASE.open();
    closer = new GapCloser(DATABASE.database(), new Fence(DATABASE.database()), LEASE);
    lease = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    position = lease.position();
  }

  @AfterEach
  void close() {
    closer.close();
    store.close();
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Test
  void aRolledBackTicketIsClosed() {
    rollBack(3);
    append("k");
    assertThat(read()).hasSize(1);
    assertThat(gaps()).hasToString("[1-3]");

    assertThat(closer.close(lease, gaps())).isEqualTo(3);

    assertThat(read()).as("tombstones are no messages").isEmpty();
    assertThat(gaps().isEmpty()).isTrue();
    assertThat(store.backlog().pending()).isEqualTo(1);
    store.log().advance(lease, position, List.of());
    assertThat(store.backlog().pending()).isZero();
    assertThat(
            ((LogPosition) store.lanes().take(0, "node-1", LEASE).orElseThrow().position()).gaps())
        .hasToString("[]");
  }

  /** As after a freeze: the node looked for what is missing while the lane was its own. */
  @Test
  void aNodeThatHasLostItsLaneClosesNothing() {
    rollBack(3);
    append("k");
    read();
    store.lanes().release(lease);
    LaneLease next = store.lanes().take(0, "node-2", LEASE).orElseThrow();

    assertThatThrownBy(() -> closer.close(lease, gaps())).isInstanceOf(LaneLostException.class);

    assertThat(tombstones()).isZero();
    assertThat(closer.close(next, gaps())).isEqualTo(3);
  }

  /** By itself: what two reads, long enough apart, did not see. */
  @Test
  void readersLetWhatIsMissingForLongBeClosed() {
    try (MongoOrderedStore impatient = DATABASE.open(Duration.ZERO)) {
      rollBack(3);
      append("k");
      LaneBatch batch;
      do {
        batch = impatient.log().read(lease, position, 10);
        position = batch.end();
      } while (!gaps().isEmpty());
    }

    assertThat(DATABASE.collection(Names.LOG).countDocuments(BsonDocument.parse("{void: true}")))
        .isEqualTo(3);
  }

  @Test
  void whatIsMissingForAShortTimeIsLeftAlone() {
    rollBack(3);
    append("k");
    for (int i = 0; i < 20; i++) {
      assertThat(read()).hasSize(i == 0 ? 1 : 0);
    }

    store.close();
    assertThat(gaps()).hasToString("[1-3]");
    assertThat(DATABASE.collection(Names.LOG).countDocuments()).isEqualTo(1);
  }

  @Test
  void anOpenTransactionIsLeftAloneAndReadWhenItCommits() {
    List<Message> late = List.of(message("late"), message("late"), message("late"));
    try (ClientSession open = DATABASE.begin()) {
      store.append(open, late, OrderedDatabase.DAY);
      rollBack(2);
      append("early");
      assertThat(read()).hasSize(1);

      assertThat(closer.close(lease, gaps())).as("of what shares a range with it").isZero();
      read();
      assertThat(gaps()).hasToString("[1-5]");
      open.commitTransaction();
    }

    assertThat(read()).containsExactlyElementsOf(late);
    assertThat(gaps()).hasToString("[4-5]");
    assertThat(closer.close(lease, gaps())).isEqualTo(2);
    read();
    assertThat(gaps().isEmpty()).isTrue();
  }

  /** In the middle of a range, what can be closed is, and what is held stays. */
  @Test
  void aRangeOfSeveralTransactionsIsClosedInParts() {
    rollBack(5);
    Message late = message("late");
    try (ClientSession open = DATABASE.begin()) {
      store.append(open, List.of(late), OrderedDatabase.DAY);
      rollBack(5);
      append("early");
      read();
      assertThat(gaps()).hasToString("[1-11]");

      assertThat(closer.close(lease, gaps())).isEqualTo(10);
      read();
      assertThat(gaps()).hasToString("[6]");
      open.commitTransaction();
    }

    assertThat(read()).containsExactly(late);
    assertThat(gaps().isEmpty()).isTrue();
  }

  /**
   * A process that hung between its sequence number and its insert: nothing is lost, the unit runs
   * again.
   */
  @Test
  void whoComesAfterTheVoidIsRunAgainWithANewSequence() {
    AtomicInteger runs = new AtomicInteger();
    Message message = message("k");
    HOOK.before("insert", Names.LOG, () -> closer.close(lease, Gaps.of(1, 1)));

    store
        .transactions()
        .run(
            session -> {
              runs.incrementAndGet();
              store.append(session, List.of(message), OrderedDatabase.DAY);
            });

    assertThat(runs).as("the void was there first").hasValue(2);
    assertThat(read()).containsExactly(message);
    assertThat(position).hasToString("sequence 2");
  }

  /** The same in a transaction that had begun, and so does not see the tombstone. */
  @Test
  void aTransactionThatBeganBeforeTheVoidIsRunAgainToo() {
    AtomicInteger runs = new AtomicInteger();
    Message first = message("k");
    Message second = message("k");

    store
        .transactions()
        .run(
            session -> {
              if (runs.incrementAndGet() == 1) {
                store.append(session, List.of(message("undone")), OrderedDatabase.DAY);
                HOOK.before("insert", Names.LOG, () -> closer.close(lease, Gaps.of(2, 2)));
              }
              store.append(session, List.of(first, second), OrderedDatabase.DAY);
            });

    assertThat(runs).hasValue(2);
    assertThat(read()).containsExactly(first, second);
  }

  /** Users with a session of their own get the driver's label. */
  @Test
  void whoComesAfterTheVoidIsToldToRunAgain() {
    HOOK.before("insert", Names.LOG, () -> closer.close(lease, Gaps.of(1, 1)));
    try (ClientSession session = DATABASE.begin()) {
      assertThatThrownBy(() -> store.append(session, List.of(message("k")), OrderedDatabase.DAY))
          .isInstanceOfSatisfying(
              MongoException.class,
              error ->
                  assertThat(error.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                      .isTrue());
    }
  }

  /** What is settled goes, also above tombstones, which are needed for a day. */
  @Test
  void aRolledBackAppendDoesNotKeepDeliveredMessagesFromBeingPurged() {
    append("k");
    rollBack(3);
    append("k");
    append("k");
    read();
    closer.close(lease, gaps());
    read();
    store.log().advance(lease, position, List.of());

    assertThat(store.purge(Duration.ZERO, 100).messages()).as("around tombstones").isEqualTo(3);
    assertThat(tombstones()).isEqualTo(3);
    assertThat(DATABASE.collection(Names.LOG).countDocuments()).isEqualTo(3);
    assertThatCode(() -> store.lanes().renew(lease, LEASE))
        .as("tombstones are no messages that came twice")
        .doesNotThrowAnyException();
    lease = store.lanes().take(0, "node-1", LEASE).orElseThrow();
    assertThat(lease.rescan()).isEmpty();
    assertThat(tombstones()).as("they stay where they are").isEqualTo(3);
    DATABASE.advance(OrderedDatabase.DAY.plusMinutes(1));
    assertThat(store.purge(Duration.ZERO, 100).messages()).isZero();

    assertThat(DATABASE.collection(Names.LOG).countDocuments()).isZero();
    append("k");
    assertThat(read()).hasSize(1);
    assertThat(position).hasToString("sequence 7");
    store.log().advance(lease, position, List.of());
    assertThat(store.purge(Duration.ZERO, 100).messages()).isEqualTo(1);
  }

  /** One document at a time, so that each mark is moved by itself. */
  @Test
  void purgingInSmallStepsRemovesTheSame() {
    for (int i = 0; i < 4; i++) {
      rollBack(2);
      append("k");
    }
    read();
    closer.close(lease, gaps());
    read();
    store.log().advance(lease, position, List.of());

    long purged = 0;
    for (int i = 0; i < 20; i++) {
      purged += store.purge(Duration.ZERO, 1).messages();
    }
    assertThat(purged).isEqualTo(4);
    assertThat(tombstones()).isEqualTo(8);
    DATABASE.advance(OrderedDatabase.DAY.plusMinutes(1));
    for (int i = 0; i < 20; i++) {
      store.purge(Duration.ZERO, 1);
    }
    assertThat(DATABASE.collection(Names.LOG).countDocuments()).isZero();
  }

  /** Retention goes on up to a place whose transaction is open. */
  @Test
  void messagesBelowAnOpenTransactionArePurgedAndThoseAboveStay() {
    append("k");
    try (ClientSession open = DATABASE.begin()) {
      store.append(open, List.of(message("late")), OrderedDatabase.DAY);
      append("k");
      read();
      store.log().advance(lease, position, List.of());

      assertThat(store.purge(Duration.ZERO, 100).messages()).isEqualTo(1);
      open.commitTransaction();
    }
    assertThat(read()).hasSize(1);
    store.log().advance(lease, position, List.of());
    assertThat(store.purge(Duration.ZERO, 100).messages()).isEqualTo(2);
  }

  /** As a hot document leaves them: every second append was rolled back. */
  @Test
  void manyRangesAreSharedByTheMessagesInFlightAndClosedInBulk() {
    int ranges = 9_000;
    everySecondIsMissing(ranges);
    List<LaneEntry> inFlight = new ArrayList<>();
    LaneBatch batch;
    do {
      batch = store.log().read(lease, position, 1_000);
      LanePosition before = position;
      assertThat(batch.entries())
          .allSatisfy(
              entry ->
                  assertThat(entry.position())
                      .isInstanceOfSatisfying(
                          LogPosition.Within.class,
                          within -> assertThat(within.before()).isSameAs(before)));
      inFlight.addAll(batch.entries());
      position = batch.end();
    } while (batch.full());
    assertThat(inFlight).hasSize(ranges);
    assertThat(gaps().size()).isEqualTo(ranges);
    HOOK.forget();

    assertThat(closer.close(lease, gaps())).isEqualTo(ranges);

    assertThat(HOOK.commands()).as("a few for each thousand").hasSizeLessThan(100);
    store.log().advance(lease, inFlight.get(5_000).position(), List.of());
    assertThat(
            ((LogPosition) store.lanes().take(0, "node-1", LEASE).orElseThrow().position())
                .gaps()
                .size())
        .isEqualTo(5_001);
  }

  /** Readers would spend their time on them, so they are not waited for. */
  @Test
  void moreRangesThanAReaderCanLookForAreClosedWithoutPatience() {
    everySecondIsMissing(GapCloser.MANY + 1_000);
    List<Message> late = List.of(message("late"));
    try (ClientSession open = DATABASE.begin()) {
      store.append(open, late, OrderedDatabase.DAY);
      append("k");
      do {
        position = store.log().read(lease, position, 1_000).end();
      } while (gaps().size() != 1);
      open.commitTransaction();
    }

    assertThat(read()).as("the open one is left alone").isEqualTo(late);
  }

  private void everySecondIsMissing(int ranges) {
    List<BsonDocument> documents = new ArrayList<>(ranges);
    for (int i = 1; i <= ranges; i++) {
      documents.add(LogDocument.write(message("k" + i), LogIds.id(0, 2L * i), new BsonDateTime(0)));
    }
    DATABASE.collection(Names.LOG).insertMany(documents);
    DATABASE
        .collection(Names.COUNTER)
        .updateOne(
            new BsonDocument("_id", SequenceNumbers.counter(0)),
            new BsonDocument("$set", new BsonDocument("seq", new BsonInt64(2L * ranges))),
            new UpdateOptions().upsert(true));
  }

  private static long tombstones() {
    return DATABASE.collection(Names.LOG).countDocuments(BsonDocument.parse("{void: true}"));
  }

  private void rollBack(int messages) {
    List<Message> dropped = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      dropped.add(message("dropped"));
    }
    try (ClientSession session = DATABASE.begin()) {
      store.append(session, dropped, OrderedDatabase.DAY);
      session.abortTransaction();
    }
  }

  private void append(String key) {
    DATABASE.append(store, message(key));
  }

  private List<Message> read() {
    LaneBatch batch = store.log().read(lease, position, 100);
    position = batch.end();
    return batch.entries().stream().map(LaneEntry::message).toList();
  }

  private Gaps gaps() {
    return ((LogPosition) position).gaps();
  }

  private static Message message(String key) {
    return OrderedDatabase.message(key);
  }
}
