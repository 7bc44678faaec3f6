package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a settlement in a handler's transaction is on MongoDB, beyond the contract. */
class SettleInTransactionTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private static TestDatabase database;
  private static MongoCompetingStore store;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated("settle_inside");
    store = database.open();
  }

  @BeforeEach
  void empty() {
    database.reset();
  }

  @AfterAll
  static void close() {
    store.close();
    database.close();
  }

  @Test
  void aHandlerThatExtendsItsLeaseRunsOnceAndSettles() {
    Claim claim = appendAndClaim(store);
    AtomicInteger runs = new AtomicInteger();

    store
        .transactions()
        .run(
            session -> {
              runs.incrementAndGet();
              write(session);
              assertThat(store.extend(session, claim, LEASE)).isTrue();
              assertThat(store.settle(session, new Settlement.Delivered(claim))).isTrue();
            });

    assertThat(runs).hasValue(1);
    assertThat(status(store, claim)).isEqualTo(MessageStatus.DISPATCHED);
  }

  @Test
  void nobodyTakesAMessageWhoseLeaseWasExtendedInAnOpenTransaction() {
    Claim claim = appendAndClaim(store);

    store
        .transactions()
        .run(
            session -> {
              assertThat(store.extend(session, claim, LEASE)).isTrue();
              database.advance(LEASE.plusSeconds(1));
              assertThat(claim(database.open())).isEmpty();
              assertThat(store.settle(session, new Settlement.Delivered(claim))).isTrue();
            });
  }

  @Test
  void anotherClaimInTheMeantimeRunsTheTransactionAgainAndTheFenceRejectsIt() {
    Claim lost = appendAndClaim(store);
    AtomicInteger runs = new AtomicInteger();

    boolean settled =
        store
            .transactions()
            .<Boolean, RuntimeException>call(
                session -> {
                  write(session);
                  if (runs.incrementAndGet() == 1) {
                    database.advance(LEASE.plusSeconds(1));
                    assertThat(claim(database.open())).hasSize(1);
                  }
                  return store.settle(session, new Settlement.Delivered(lost));
                });

    assertThat(settled).isFalse();
    assertThat(runs).hasValue(2);
    assertThat(status(store, lost)).isEqualTo(MessageStatus.PROCESSING);
  }

  @Test
  void aMovedDeadLetterMovesWithTheTransaction() {
    MongoCompetingStore moving =
        database.open(database.options().withDeadLetters(MongoOptions.DeadLetters.MOVE));
    Claim claim = appendAndClaim(moving);

    try (ClientSession session = begin(WriteConcern.MAJORITY)) {
      assertThat(moving.settle(session, new Settlement.Dead(claim, "no use"))).isTrue();
      session.abortTransaction();
    }
    assertThat(count(Names.OUTBOX)).isOne();
    assertThat(count(Names.DEAD)).isZero();

    try (ClientSession session = begin(WriteConcern.MAJORITY)) {
      assertThat(moving.settle(session, new Settlement.Dead(claim, "no use"))).isTrue();
      session.commitTransaction();
    }
    assertThat(count(Names.OUTBOX)).isZero();
    assertThat(count(Names.DEAD)).isOne();
  }

  @Test
  void aTransactionThatAMajorityNeedNotHaveIsRefused() {
    Claim claim = appendAndClaim(store);

    try (ClientSession session = begin(WriteConcern.W1)) {
      assertThatExceptionOfType(PostroadException.class)
          .isThrownBy(() -> store.settle(session, new Settlement.Delivered(claim)))
          .withMessageContaining("settle needs a transaction with write concern majority");
      session.abortTransaction();
    }
    assertThat(store.settle(List.of(new Settlement.Delivered(claim)))).isEmpty();
  }

  private static void write(ClientSession session) {
    database.database().callersCollection("effects").insertOne(session, new BsonDocument());
  }

  private static ClientSession begin(WriteConcern concern) {
    ClientSession session = database.client().startSession();
    session.startTransaction(TransactionOptions.builder().writeConcern(concern).build());
    return session;
  }

  private static Claim appendAndClaim(MongoCompetingStore store) {
    Message message = Message.event("Counted").to("counts").json("{}").build();
    store
        .transactions()
        .run(session -> store.append(session, List.of(message), Duration.ofHours(1)));
    return claim(store).get(0);
  }

  private static List<Claim> claim(MongoCompetingStore store) {
    return store.claim(new ClaimRequest("node", 1, LEASE));
  }

  private static MessageStatus status(MongoCompetingStore store, Claim claim) {
    return store.find(claim.id()).orElseThrow().status();
  }

  private static long count(String collection) {
    return database.collection(collection).countDocuments();
  }
}
