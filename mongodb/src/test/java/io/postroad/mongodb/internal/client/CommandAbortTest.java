package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.TestCommands;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.store.CommandStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transaction that is aborted from another thread commits nothing and is in nobody's way. */
class CommandAbortTest {
  private static final Duration LEASE = Duration.ofMinutes(5);

  private static OrderedDatabase database;
  private static MongoCommandStore store;
  private static MongoCollection<BsonDocument> orders;

  @BeforeAll
  static void open() {
    database = OrderedDatabase.fresh("command_abort");
    database.reset(1);
    store = database.openCommands();
    database.database().own().createCollection("orders");
    orders = database.database().callersCollection("orders");
  }

  @BeforeEach
  void empty() {
    database.reset(1);
  }

  @AfterAll
  static void close() {
    store.close();
    database.close();
  }

  @Test
  void theCommandIsFreeAtOnceAndAHandlerThatComesBackCommitsNothing() throws Exception {
    CommandClaim claim = acceptAndClaim();
    CountDownLatch goOn = new CountDownLatch(1);
    BlockingQueue<ClientSession> opened = new LinkedBlockingQueue<>();
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try {
      Future<?> handler =
          worker.submit(
              () ->
                  store
                      .transactions()
                      .run(
                          transaction -> {
                            assertThat(store.open(transaction, claim, Duration.ofDays(365)))
                                .isEqualTo(Opening.HELD);
                            placeOrder(transaction);
                            opened.add(transaction);
                            await(goOn);
                            placeOrder(transaction);
                          }));

      store.abort(Objects.requireNonNull(opened.poll(60, TimeUnit.SECONDS), "was not opened"));

      assertThat(store.retry(claim, Duration.ZERO, "took too long")).isTrue();
      List<CommandClaim> next = store.claim("node-2", Set.of(TestCommands.TYPE), 10, LEASE);
      assertThat(next).extracting(CommandClaim::id).containsExactly(claim.id());
      goOn.countDown();
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() -> handler.get(60, TimeUnit.SECONDS))
          .withCauseInstanceOf(PostroadException.class)
          .withMessageContaining("open is refused")
          .withMessageContaining("was aborted");
      assertThat(orders.countDocuments()).isZero();
      assertThat(finish(next.get(0))).isTrue();
    } finally {
      goOn.countDown();
      worker.shutdownNow();
    }
  }

  @Test
  void aCommitThatComesTooLateFails() {
    CommandClaim claim = acceptAndClaim();
    try (ClientSession session = database.begin()) {
      assertThat(store.open(session, claim, Duration.ofDays(365))).isEqualTo(Opening.HELD);
      assertThat(store.finish(session, claim, TestCommands.COMPLETED)).isTrue();

      store.abort(session);

      assertThatExceptionOfType(MongoException.class).isThrownBy(session::commitTransaction);
    }
    assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(CommandStatus.PROCESSING);
    assertThat(finish(claim)).isTrue();
  }

  @Test
  void aTransactionThatHasSentNothingYetGetsNoFurther() {
    CommandClaim claim = acceptAndClaim();
    try (ClientSession session = database.begin()) {
      store.abort(session);

      assertThatExceptionOfType(PostroadException.class)
          .isThrownBy(() -> store.open(session, claim, Duration.ofDays(365)))
          .withMessageContaining("was aborted");
    }
    assertThat(finish(claim)).isTrue();
  }

  @Test
  void whatHasEndedCanBeAborted() {
    CommandClaim claim = acceptAndClaim();
    ClientSession session = database.begin();
    assertThat(store.open(session, claim, Duration.ofDays(365))).isEqualTo(Opening.HELD);
    assertThat(store.finish(session, claim, TestCommands.COMPLETED)).isTrue();
    session.commitTransaction();
    store.abort(session);
    session.close();

    store.abort(session);

    assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(CommandStatus.COMPLETED);
  }

  private static void placeOrder(ClientSession session) {
    orders.insertOne(session, new BsonDocument("n", new BsonInt32(1)));
  }

  private static boolean finish(CommandClaim claim) {
    return store
        .transactions()
        .<Boolean, RuntimeException>call(
            session -> store.finish(session, claim, TestCommands.COMPLETED));
  }

  private static CommandClaim acceptAndClaim() {
    store.transactions().run(session -> store.accept(session, TestCommands.command("key")));
    return store.claim("node-1", Set.of(TestCommands.TYPE), 1, LEASE).get(0);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("interrupted while a test waits", interrupted);
    }
  }
}
