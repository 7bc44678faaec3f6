package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.message.Message;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.servers.MongoReplicaSet;
import io.postroad.servers.MongoServer;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three members, of which another one becomes the primary in the middle of things. */
@Timeout(300)
final class PrimaryChangeTest {
  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final CommandHook HOOK = new CommandHook();
  private static MongoReplicaSet members;
  private static OrderedDatabase database;

  private MongoOrderedStore store;

  @BeforeAll
  static void start() {
    members = MongoServer.replicaSet(3);
    members.start();
    database =
        OrderedDatabase.at(members.connectionString(), members.freshDatabase("elections"), HOOK);
  }

  @AfterAll
  static void stop() {
    database.close();
    members.close();
  }

  @BeforeEach
  void open() {
    database.reset(1);
    store = database.open();
  }

  /**
   * The sequence number is of one primary, the transaction begins at the next one, which knows
   * nothing of the sequence number in the worst case: it must not be used, and its user is run
   * again.
   */
  @Test
  void aTicketOfThePrimaryBeforeIsNotUsed() {
    Message message = OrderedDatabase.message("k");

    appendThroughAStepDown(message);

    LaneLease lease = store.lanes().take(0, "node", LEASE).orElseThrow();
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    assertThat(messages(batch)).containsExactly(message);
    assertThat(batch.end()).hasToString("sequence 2 without [1]");
  }

  /** The primary steps down when the counter was raised, and the unit is run again. */
  private void appendThroughAStepDown(Message message) {
    AtomicInteger runs = new AtomicInteger();
    HOOK.after("findAndModify", Names.COUNTER, PrimaryChangeTest::stepDown);

    store
        .transactions()
        .run(
            session -> {
              runs.incrementAndGet();
              store.append(session, List.of(message), OrderedDatabase.DAY);
            });

    assertThat(runs).hasValue(2);
  }

  /** Its place among those that are due at the same time counts as well. */
  @Test
  void aTurnOfThePrimaryBeforeIsNotUsed() {
    Message message =
        Message.event("OrderPlaced")
            .to("orders")
            .key("k")
            .notBefore(store.now().plus(OrderedDatabase.DAY))
            .json("{}")
            .build();

    appendThroughAStepDown(message);

    assertThat(database.collection(Names.SCHEDULED).find().first().getNumber("turn").longValue())
        .isEqualTo(2);
  }

  /** Whoever catches the error and commits all the same commits nothing. */
  @Test
  void aTransactionWithATicketOfThePrimaryBeforeCannotBeCommitted() {
    HOOK.after("findAndModify", Names.COUNTER, PrimaryChangeTest::stepDown);
    try (ClientSession session = database.begin()) {
      assertThatThrownBy(
              () ->
                  store.append(session, List.of(OrderedDatabase.message("k")), OrderedDatabase.DAY))
          .isInstanceOfSatisfying(
              MongoException.class,
              error ->
                  assertThat(error.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                      .isTrue());
      assertThatThrownBy(session::commitTransaction).isInstanceOf(IllegalStateException.class);
    }

    assertThat(store.backlog().pending()).isZero();
  }

  /** A writer and an owner of the lane that go on through elections. */
  @Test
  void whatIsWrittenAndReadThroughElectionsIsWholeAndInOrder() {
    List<Message> written = new ArrayList<>();
    List<Message> read = new ArrayList<>();
    LaneLease lease = store.lanes().take(0, "node", LEASE).orElseThrow();
    LanePosition position = lease.position();
    for (int i = 0; i < 60; i++) {
      Message message = OrderedDatabase.message("k");
      store
          .transactions()
          .run(session -> store.append(session, List.of(message), OrderedDatabase.DAY));
      written.add(message);
      if (i % 20 == 10) {
        stepDown();
      }
      LaneBatch batch = store.log().read(lease, position, 10);
      read.addAll(messages(batch));
      position = batch.end();
      store.log().advance(lease, position, List.of());
    }

    assertThat(read).containsExactlyElementsOf(written);
  }

  /** Those who stepped down before may be elected again. */
  private static void stepDown() {
    for (MongoServer member : members.members()) {
      try (MongoClient client = MongoClients.create(member.connectionString())) {
        Document unused = client.getDatabase("admin").runCommand(new Document("replSetFreeze", 0));
      } catch (MongoCommandException isThePrimary) {
        assertThat(isThePrimary.getErrorCodeName()).isEqualTo("NotSecondary");
      }
    }
    members.stepDown();
  }

  private static List<Message> messages(LaneBatch batch) {
    return batch.entries().stream().map(LaneEntry::message).toList();
  }
}
