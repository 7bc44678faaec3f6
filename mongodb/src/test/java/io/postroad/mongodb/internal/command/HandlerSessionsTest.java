package io.postroad.mongodb.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.TestCommands;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transaction that its node does not end is ended by another node, and commits nothing. */
class HandlerSessionsTest {
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration LATER = Duration.ofHours(1);
  private static final Set<String> TYPES = Set.of(TestCommands.TYPE);

  private OrderedDatabase database;
  private MongoCollection<BsonDocument> orders;

  @BeforeEach
  void open() {
    database = OrderedDatabase.fresh("handler_sessions");
    database.reset(1);
    database.database().own().createCollection("orders");
    orders = database.database().callersCollection("orders");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void onlyTransactionsThatLastLongerThanTheirNodeAllowsAreEnded() {
    HandlerSessions ours = new HandlerSessions(database.database());
    HandlerSessions others = new HandlerSessions(database.database());
    try (ClientSession frozen = database.begin();
        ClientSession working = database.begin();
        ClientSession foreign = database.begin()) {
      ours.use(frozen, AT_ONCE);
      ours.use(working, LATER);
      placeOrder(frozen, "frozen");
      placeOrder(working, "working");
      placeOrder(foreign, "of the application");

      assertThat(endedOnce(others)).isEqualTo(1);

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(frozen::commitTransaction)
          .matches(MongoErrors::isTransient);
      working.commitTransaction();
      foreign.commitTransaction();
    }
    assertThat(orders.distinct("_id", BsonString.class))
        .extracting(BsonString::getValue)
        .containsExactlyInAnyOrder("working", "of the application");
  }

  @Test
  void aSessionIsWrittenDownOnce() {
    HandlerSessions sessions = new HandlerSessions(database.database());
    MongoCollection<BsonDocument> written = database.collection(Names.COMMAND_SESSION);
    try (ClientSession session = database.begin()) {
      sessions.use(session, LATER);
      assertThat(written.deleteMany(new BsonDocument()).getDeletedCount()).isEqualTo(1);

      sessions.use(session, LATER);
      assertThat(written.countDocuments()).as("it is known").isZero();
      sessions.use(session, AT_ONCE);
      assertThat(written.countDocuments()).as("with another limit").isEqualTo(1);
    }
  }

  /** The node that has the command neither ends its transaction nor gives the command back. */
  @Test
  void anotherNodeTakesWhatATransactionHoldsPastItsLease() {
    try (MongoCommandStore frozen = database.openCommands();
        MongoCommandStore working = database.openCommands();
        ClientSession handler = database.begin()) {
      frozen.transactions().run(unit -> frozen.accept(unit, TestCommands.command("key")));
      CommandClaim claim = frozen.claim("node-1", TYPES, 1, LATER).get(0);
      assertThat(frozen.open(handler, claim, AT_ONCE)).isEqualTo(Opening.HELD);
      placeOrder(handler, "one");
      assertThat(working.claim("node-2", TYPES, 1, LATER)).as("its lease lasts").isEmpty();
      database.advance(LATER.plusSeconds(1));

      List<CommandClaim> taken = working.claim("node-2", TYPES, 1, LATER);

      assertThat(taken).extracting(CommandClaim::id).containsExactly(claim.id());
      working
          .transactions()
          .run(
              unit -> {
                assertThat(working.open(unit, taken.get(0), LATER)).isEqualTo(Opening.HELD);
                placeOrder(unit, "one");
                assertThat(working.finish(unit, taken.get(0), TestCommands.COMPLETED)).isTrue();
              });
      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> frozen.finish(handler, claim, TestCommands.COMPLETED))
          .matches(MongoErrors::isTransient);
    }
    assertThat(orders.countDocuments()).isEqualTo(1);
  }

  /** Returns how many transactions the first look has ended that ended any. */
  private static int endedOnce(HandlerSessions sessions) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    int ended = 0;
    while (ended == 0 && System.nanoTime() < end) {
      ended = sessions.endOverdue();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    return ended;
  }

  private void placeOrder(ClientSession session, String id) {
    orders.insertOne(session, new BsonDocument("_id", new BsonString(id)));
  }
}
