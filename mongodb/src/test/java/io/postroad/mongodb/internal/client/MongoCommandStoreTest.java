package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Updates;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.CommandHook;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.OrderedDatabase;
import io.postroad.mongodb.TestCommands;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.command.CommandFilters;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.store.CommandStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the commands do on MongoDB, beyond their contract. */
class MongoCommandStoreTest {
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final CommandOutcome LATE = CommandOutcome.timedOut("late");

  private static final CommandHook hook = new CommandHook();
  private static OrderedDatabase database;
  private static MongoCommandStore store;

  @BeforeAll
  static void open() {
    database = OrderedDatabase.fresh("command", hook);
    database.reset(1);
    store = database.openCommands();
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
  void whoMeetsAnOpenTransactionIsToldToRunAgain() {
    try (ClientSession first = database.begin();
        ClientSession second = database.begin()) {
      assertThat(store.accept(first, TestCommands.command("key")).isNew()).isTrue();

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> store.accept(second, TestCommands.command("key")))
          .matches(MongoErrors::isTransient);
    }
  }

  @Test
  void whoBeganBeforeAnotherCommittedIsToldToRunAgain() {
    try (ClientSession first = database.begin();
        ClientSession second = database.begin()) {
      assertThat(store.accept(second, TestCommands.command("other")).isNew()).isTrue();
      assertThat(store.accept(first, TestCommands.command("key")).isNew()).isTrue();
      first.commitTransaction();

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> store.accept(second, TestCommands.command("key")))
          .matches(MongoErrors::isTransient);
    }
  }

  @Test
  void anIdThatAnotherKeyHasIsRefusedAtOnce() {
    NewCommand first = TestCommands.command("key-1");
    accept(first);

    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(() -> accept(TestCommands.command(first.id(), "key-2")))
        .withMessageContaining("command id " + first.id())
        .withMessageContaining("another idempotency key");
    assertThat(accept(first).isNew()).as("the same one again").isFalse();
  }

  @Test
  void anAcceptanceIsOneCommand() {
    accept(TestCommands.command("warm-up"));
    try (ClientSession session = database.begin()) {
      hook.forget();
      assertThat(store.accept(session, TestCommands.command("key")).isNew()).isTrue();
      assertThat(store.accept(session, TestCommands.command("key")).isNew()).isFalse();

      assertThat(commandsOnCommands())
          .extracting(BsonDocument::getFirstKey)
          .containsExactly("findAndModify", "findAndModify");
    }
  }

  @Test
  void aBatchIsClaimedInThreeCommandsAndRunInTwoEach() {
    for (int i = 0; i < 50; i++) {
      accept(TestCommands.command("key-" + i));
    }
    hook.forget();
    List<CommandClaim> claims = claim(50);
    assertThat(commandsOnCommands())
        .extracting(BsonDocument::getFirstKey)
        .containsExactly("find", "update", "find");
    hook.forget();
    try (ClientSession session = database.begin()) {
      assertThat(store.open(session, claims.get(0), Duration.ofDays(365))).isEqualTo(Opening.HELD);
      assertThat(store.finish(session, claims.get(0), TestCommands.COMPLETED)).isTrue();
      session.commitTransaction();
    }
    assertThat(commandsOnCommands())
        .extracting(BsonDocument::getFirstKey)
        .containsExactly("findAndModify", "update");
  }

  @Test
  void takesWhatStandsBehindCommandsThatOpenTransactionsHold() {
    accept(TestCommands.command("held-1"));
    accept(TestCommands.command("held-2"));
    List<CommandClaim> slow = claim(2);
    database.advance(LEASE.plusSeconds(1));
    accept(TestCommands.command("free-1"));
    accept(TestCommands.command("free-2"));

    try (ClientSession running = database.begin()) {
      for (CommandClaim each : slow) {
        assertThat(store.open(running, each, Duration.ofDays(365))).isEqualTo(Opening.HELD);
      }

      assertThat(claim(2)).extracting(CommandClaim::id).doesNotContainAnyElementsOf(ids(slow));
    }
    assertThat(claim(10))
        .extracting(CommandClaim::id)
        .containsExactlyInAnyOrderElementsOf(ids(slow));
  }

  @Test
  void takesTheFreeOnesAmongCommandsThatAnOpenTransactionHolds() {
    for (int i = 0; i < 9; i++) {
      accept(TestCommands.command("key-" + i));
    }
    List<CommandClaim> slow = claim(9);
    database.advance(LEASE.plusSeconds(1));

    try (ClientSession running = database.begin()) {
      assertThat(store.open(running, slow.get(4), Duration.ofDays(365))).isEqualTo(Opening.HELD);

      List<CommandClaim> taken = claim(9);
      assertThat(taken).hasSize(8).extracting(CommandClaim::id).doesNotContain(slow.get(4).id());
      assertThat(taken).extracting(CommandClaim::attempt).containsOnly(2);
    }
  }

  @Test
  void claimsOfMoreTypesThanTheServerMergesAreInOrder() {
    List<String> types = new ArrayList<>();
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      types.add("Type" + i);
    }
    for (int i : new int[] {249, 0, 120, 99, 100, 200}) {
      NewCommand command = TestCommands.ofType("Type" + i, "key-" + i);
      accept(command);
      ids.add(command.id());
      database.advance(Duration.ofSeconds(1));
    }

    assertThat(store.claim("node-1", Set.copyOf(types), 5, LEASE))
        .extracting(CommandClaim::id)
        .containsExactlyElementsOf(ids.subList(0, 5));
  }

  @Test
  void openingKeepsOthersOffEvenIfTheClockStandsStill() {
    accept(TestCommands.command("key"));
    CommandClaim claim = claim(1).get(0);
    BsonDocument id = CommandFilters.id(claim.id());
    BsonDateTime later = new BsonDateTime(store.now().plusSeconds(3600).toEpochMilli());
    database.collection(Names.COMMAND).updateOne(id, Updates.set("opened_at", later));

    try (ClientSession running = database.begin()) {
      assertThat(store.open(running, claim, Duration.ofDays(365))).isEqualTo(Opening.HELD);

      assertThat(
              new UnheldDocuments(database.database(), Names.COMMAND)
                  .among(List.of(MessageDocument.id(claim.id()))))
          .isEmpty();
    }
  }

  @Test
  void whatAHandlerIsAtIsNotExpiredAndNobodyWaitsForIt() {
    accept(TestCommands.within("held", SOON));
    CommandClaim slow = claim(1).get(0);
    NewCommand free = TestCommands.within("free", SOON);
    accept(free);
    database.advance(LEASE.plusSeconds(1));

    try (ClientSession running = database.begin();
        ClientSession session = database.begin()) {
      assertThat(store.open(running, slow, Duration.ofDays(365))).isEqualTo(Opening.LATE);

      assertThat(store.expire(session, LATE, 10, List.of()))
          .extracting(StoredCommand::id)
          .containsExactly(free.id());
      session.commitTransaction();
      running.commitTransaction();
    }
    assertThat(find(slow.id()).status()).isEqualTo(CommandStatus.PROCESSING);
    assertThat(expire()).extracting(StoredCommand::id).containsExactly(slow.id());
  }

  @Test
  void whoBeginsToHandleWhatIsBeingExpiredHasItRunAgain() {
    accept(TestCommands.within("key", SOON));
    CommandClaim slow = claim(1).get(0);
    database.advance(LEASE.plusSeconds(1));

    try (ClientSession running = database.begin();
        ClientSession session = database.begin()) {
      hook.after(
          "abortTransaction",
          "",
          () ->
              assertThat(store.open(running, slow, Duration.ofDays(365))).isEqualTo(Opening.LATE));

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> store.expire(session, LATE, 10, List.of()))
          .matches(MongoErrors::isTransient);
      assertThat(store.finish(running, slow, TestCommands.COMPLETED)).isTrue();
      running.commitTransaction();
    }
    assertThat(expire()).isEmpty();
    assertThat(find(slow.id()).status()).isEqualTo(CommandStatus.COMPLETED);
  }

  @Test
  void whoCancelsWhatAHandlerIsAtIsToldToRunAgain() {
    accept(TestCommands.command("key"));
    CommandClaim slow = claim(1).get(0);
    database.advance(LEASE.plusSeconds(1));

    try (ClientSession running = database.begin();
        ClientSession session = database.begin()) {
      assertThat(store.open(running, slow, Duration.ofDays(365))).isEqualTo(Opening.HELD);

      assertThatExceptionOfType(MongoException.class)
          .isThrownBy(() -> store.cancel(session, slow.id(), LATE))
          .matches(MongoErrors::isTransient);
    }
  }

  @Test
  void aReleaseTellsWhichClaimsHeldThoughAnotherHasTakenThemSince() {
    for (int i = 0; i < 3; i++) {
      accept(TestCommands.command("key-" + i));
    }
    List<CommandClaim> claims = claim(3);
    store
        .transactions()
        .run(
            session ->
                assertThat(store.finish(session, claims.get(0), TestCommands.COMPLETED)).isTrue());
    hook.after("update", Names.COMMAND, () -> assertThat(claim(10)).hasSize(2));

    assertThat(store.release(claims))
        .containsExactlyInAnyOrder(claims.get(1).id(), claims.get(2).id());
  }

  /** Another node has purged the old command meanwhile, and it was sent again. */
  @Test
  void aPurgeLeavesACommandThatIsNewerThanTheOneItFound() {
    NewCommand command = TestCommands.command("key");
    accept(command);
    CommandClaim claim = claim(1).get(0);
    store
        .transactions()
        .run(session -> assertThat(store.finish(session, claim, TestCommands.COMPLETED)).isTrue());
    database.advance(Duration.ofDays(2));
    hook.before(
        "delete",
        Names.COMMAND,
        () -> {
          assertThat(store.purge(OrderedDatabase.DAY, 10)).isEqualTo(1);
          assertThat(accept(command).isNew()).isTrue();
        });

    assertThat(store.purge(OrderedDatabase.DAY, 10)).isZero();

    assertThat(find(command.id()).status()).isEqualTo(CommandStatus.PENDING);
  }

  @Test
  void timesFinerThanMillisecondsAreRoundedUp() {
    NewCommand fine = TestCommands.within("key", Duration.ofNanos(1_000_001));
    StoredCommand stored = accept(fine).command();

    assertThat(stored.command().timeout()).contains(Duration.ofMillis(2));
    assertThat(stored.deadline()).contains(stored.createdAt().plusMillis(2));
    assertThat(find(fine.id())).isEqualTo(stored);
  }

  @Test
  void theDatabaseRefusesWhatIsNoCommand() {
    NewCommand command = TestCommands.command("key");
    accept(command);

    assertThatExceptionOfType(MongoWriteException.class)
        .isThrownBy(
            () ->
                database
                    .collection(Names.COMMAND)
                    .updateOne(
                        CommandFilters.id(command.id()),
                        Bson.set(new BsonDocument("status", new BsonString("done")))))
        .withMessageContaining("validation");
  }

  @Test
  void hintsOfTheOutboxAreNotHeardHereAndOursNotThere() throws Exception {
    SignalDocument outbox = new SignalDocument(database.database());
    SignalDocument outboxElsewhere = new SignalDocument(database.database());
    SignalDocument ours = new SignalDocument(database.database(), Names.COMMAND_SIGNAL);
    Semaphore here = new Semaphore(0);
    Semaphore there = new Semaphore(0);
    try (MongoOrderedStore unused = database.open();
        var subscription = store.wakeUps().subscribe(here::release);
        SignalListener listener = new SignalListener(outbox, there::release)) {
      listener.start();
      sendUntilHeard(ours, here);
      sendUntilHeard(outboxElsewhere, there);
      here.drainPermits();
      there.drainPermits();

      outboxElsewhere.send();
      ours.send();
      assertThat(here.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      assertThat(there.tryAcquire(60, TimeUnit.SECONDS)).isTrue();

      ours.send();
      outboxElsewhere.send();
      assertThat(here.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      assertThat(there.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      assertThat(here.availablePermits()).as("of the outbox").isZero();
      assertThat(there.availablePermits()).as("of the commands").isZero();
    }
  }

  private static void sendUntilHeard(SignalDocument signal, Semaphore heard) throws Exception {
    for (int i = 0; i < 60; i++) {
      signal.send();
      if (heard.tryAcquire(1, TimeUnit.SECONDS)) {
        return;
      }
    }
    throw new AssertionError("60 hints, none of them heard");
  }

  @Test
  void aTransactionWithoutMajorityIsRefused() {
    try (ClientSession session = database.client().startSession()) {
      session.startTransaction(TransactionOptions.builder().writeConcern(WriteConcern.W1).build());

      assertThatExceptionOfType(PostroadException.class)
          .isThrownBy(() -> store.accept(session, TestCommands.command("key")))
          .withMessageContaining("write concern majority");
    }
  }

  @Test
  void withoutTransactionsItIsRefused() {
    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () ->
                MongoCommandStore.open(
                    database.client(),
                    MongoOptions.defaults().withTransactionMode(MongoOptions.TransactionMode.NONE)))
        .withMessageContaining("MongoCommandStore needs transactions")
        .withMessageContaining("--replSet");
  }

  private static List<BsonDocument> commandsOnCommands() {
    return hook.commands().stream()
        .filter(command -> new BsonString(Names.COMMAND).equals(command.get(command.getFirstKey())))
        .toList();
  }

  private static Acceptance accept(NewCommand command) {
    return store
        .transactions()
        .<Acceptance, RuntimeException>call(session -> store.accept(session, command));
  }

  private static List<CommandClaim> claim(int limit) {
    return store.claim("node-1", Set.of(TestCommands.TYPE), limit, LEASE);
  }

  private static List<StoredCommand> expire() {
    return store
        .transactions()
        .<List<StoredCommand>, RuntimeException>call(
            session -> store.expire(session, LATE, 10, List.of()));
  }

  private static StoredCommand find(UUID id) {
    return store.find(id).orElseThrow();
  }

  private static List<UUID> ids(List<CommandClaim> claims) {
    return claims.stream().map(CommandClaim::id).toList();
  }
}
