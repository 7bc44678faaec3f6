package io.postroad.mongodb.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Units of work and sessions on a server that fails at will. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MongoTransactionsTest {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int NOT_WRITABLE_PRIMARY = 10107;
  private static final int WRITE_CONFLICT = 112;
  private static final int UNAUTHORIZED = 13;

  private final List<String> sent = new CopyOnWriteArrayList<>();
  private volatile Consumer<String> beforeSending = command -> {};
  private MongoServer server;
  private MongoClient client;
  private MongoOptions options;
  private MongoCompetingStore store;
  private MongoCollection<Document> things;

  @BeforeAll
  void start() {
    server =
        MongoServer.started(
            ServerOptions.defaults().withSetting("setParameter.enableTestCommands", "true"));
    client = client(WriteConcern.ACKNOWLEDGED);
    options =
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase("units"))
            .withSchemaMode(SchemaMode.MIGRATE)
            .withRerunFor(Duration.ofSeconds(20));
    store = MongoCompetingStore.open(client, options);
    client.getDatabase(options.database()).createCollection("things");
    things = client.getDatabase(options.database()).getCollection("things");
  }

  @BeforeEach
  void empty() {
    things.deleteMany(new Document());
    sent.clear();
  }

  @AfterEach
  void heal() {
    beforeSending = command -> {};
    client
        .getDatabase("admin")
        .runCommand(new Document("configureFailPoint", "failCommand").append("mode", "off"));
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void aUnitThatAbortsItsTransactionAndReturnsCommitsNothing() {
    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        session -> {
                          things.insertOne(session, new Document("name", "lost"));
                          session.abortTransaction();
                        }))
        .withMessageContaining("has called abortTransaction()");
    assertThat(things.countDocuments()).isZero();
  }

  @Test
  void aUnitThatAbortsItsTransactionAndBeginsAnotherCommitsNothing() {
    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        session -> {
                          things.insertOne(session, new Document("name", "lost"));
                          session.abortTransaction();
                          session.startTransaction();
                          things.insertOne(session, new Document("name", "half"));
                          store.transactions().requireUnended(session);
                        }))
        .withMessageContaining("has called abortTransaction()");
    assertThat(things.countDocuments()).isZero();
  }

  @Test
  void aTransientErrorRunsTheWholeUnitAgainAndOnlyTheActionsOfTheLastRun() {
    AtomicInteger runs = new AtomicInteger();
    List<Integer> after = new ArrayList<>();
    fail(2, "insert", WRITE_CONFLICT, "TransientTransactionError");

    int answer =
        store
            .transactions()
            .<Integer, RuntimeException>call(
                session -> {
                  int run = runs.incrementAndGet();
                  store.transactions().afterCommit(() -> after.add(run));
                  things.insertOne(session, new Document("_id", "run " + run));
                  return run;
                });

    assertThat(answer).isEqualTo(3);
    assertThat(names()).containsExactly("run 3");
    assertThat(after).containsExactly(3);
  }

  @Test
  void aTransientErrorAtTheCommitRunsTheUnitAgain() {
    AtomicInteger runs = new AtomicInteger();
    fail(1, "commitTransaction", WRITE_CONFLICT, "TransientTransactionError");

    store
        .transactions()
        .run(
            session ->
                things.insertOne(session, new Document("_id", "run " + runs.incrementAndGet())));

    assertThat(runs).hasValue(2);
    assertThat(names()).containsExactly("run 2");
  }

  /** Running the unit again could do everything twice: the first commit may have worked. */
  @Test
  void anUnknownResultRepeatsTheCommitAlone() {
    AtomicInteger runs = new AtomicInteger();
    fail(4, "commitTransaction", NOT_WRITABLE_PRIMARY, "UnknownTransactionCommitResult");

    store
        .transactions()
        .run(
            session ->
                things.insertOne(session, new Document("_id", "run " + runs.incrementAndGet())));

    assertThat(runs).hasValue(1);
    assertThat(names()).containsExactly("run 1");
    assertThat(sent.stream().filter("commitTransaction"::equals).count()).isGreaterThan(4);
  }

  @Test
  void anUnknownResultThatStaysUnknownIsSaidSo() {
    MongoTransactions impatient =
        new MongoTransactions(client, options.withRerunFor(Duration.ofSeconds(1)));
    AtomicInteger runs = new AtomicInteger();
    List<String> after = new ArrayList<>();
    failAlways("commitTransaction", NOT_WRITABLE_PRIMARY, "UnknownTransactionCommitResult");

    assertThatThrownBy(
            () ->
                impatient.run(
                    session -> {
                      impatient.afterCommit(() -> after.add("no"));
                      things.insertOne(session, new Document("_id", runs.incrementAndGet()));
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("unknown")
        .hasMessageContaining("read your data");

    assertThat(runs).hasValue(1);
    assertThat(after).isEmpty();
  }

  /** The first commit may have worked, whatever is wrong with the second one. */
  @Test
  void anUnknownResultStaysUnknownWhenTheNextCommitFailsForAnotherReason() {
    AtomicInteger runs = new AtomicInteger();
    fail(2, "commitTransaction", NOT_WRITABLE_PRIMARY, "UnknownTransactionCommitResult");
    AtomicInteger commits = new AtomicInteger();
    beforeSending =
        command -> {
          if (command.equals("commitTransaction") && commits.incrementAndGet() == 3) {
            fail(1, "commitTransaction", UNAUTHORIZED);
          }
        };

    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        session ->
                            things.insertOne(session, new Document("_id", runs.incrementAndGet()))))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("the result of the commit is unknown");

    assertThat(commits).hasValue(3);
    assertThat(runs).hasValue(1);
  }

  /** The driver does not say whether it was interrupted before the commit was sent or after. */
  @Test
  void anInterruptedCommitIsUnknown() {
    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        session -> {
                          things.insertOne(session, new Document("_id", "interrupted"));
                          Thread.currentThread().interrupt();
                        }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("the result of the commit is unknown");

    assertThat(Thread.interrupted()).isTrue();
  }

  /** Or what it has written would stay locked until the server gives it up. */
  @Test
  void theUnitOfAnInterruptedThreadIsAborted() {
    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        session -> {
                          things.insertOne(session, new Document("_id", "interrupted"));
                          Thread.currentThread().interrupt();
                          throw new IllegalStateException("stopped");
                        }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(sent).contains("abortTransaction");
  }

  @Test
  void aCommitThatIsRefusedAtOnceIsNotUnknown() {
    fail(1, "commitTransaction", UNAUTHORIZED);

    assertThatThrownBy(
            () ->
                store
                    .transactions()
                    .run(session -> things.insertOne(session, new Document("_id", "refused"))))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("could not commit the transaction");
    assertThat(names()).isEmpty();
  }

  @Test
  void transientErrorsThatDoNotEndAreThrownInTheEnd() {
    MongoTransactions impatient =
        new MongoTransactions(client, options.withRerunFor(Duration.ofSeconds(1)));
    failAlways("insert", WRITE_CONFLICT, "TransientTransactionError");

    assertThatThrownBy(
            () -> impatient.run(session -> things.insertOne(session, new Document("_id", 1))))
        .isInstanceOf(MongoException.class);
    assertThat(impatient.current()).isEmpty();
  }

  /** Else a unit would end as if it had been committed. */
  @Test
  void anErrorThatTheWorkSwallowsDoesNotCommitTheRest() {
    AtomicInteger runs = new AtomicInteger();
    store
        .transactions()
        .run(
            session -> {
              int run = runs.incrementAndGet();
              things.insertOne(session, new Document("_id", "before " + run));
              if (run == 1) {
                assertThat(
                        catchThrowable(
                            () -> things.insertOne(session, new Document("_id", "before " + run))))
                    .isInstanceOf(MongoException.class);
              }
            });

    assertThat(runs).as("the server had ended the first transaction").hasValue(2);
    assertThat(names()).containsExactly("before 2");
  }

  @Test
  void aWriteConflictOfTwoUnitsRunsOneOfThemAgain() {
    things.insertOne(new Document("_id", "counter").append("n", 0));
    AtomicInteger runs = new AtomicInteger();

    store
        .transactions()
        .run(
            session -> {
              Document seen = things.find(session, new Document("_id", "counter")).first();
              if (runs.incrementAndGet() == 1) {
                things.updateOne(
                    new Document("_id", "counter"), new Document("$inc", new Document("n", 10)));
              }
              things.updateOne(
                  session,
                  new Document("_id", "counter"),
                  new Document("$set", new Document("n", seen.getInteger("n") + 1)));
            });

    assertThat(runs).hasValue(2);
    assertThat(things.find().first()).containsEntry("n", 11);
  }

  @Test
  void anAppendInAConflictKeepsTheDriversExceptionForItsWithTransaction() {
    Message message = Message.event("E").to("d").json("{}").build();
    fail(1, "insert", WRITE_CONFLICT, "TransientTransactionError");
    AtomicInteger runs = new AtomicInteger();

    try (ClientSession session = client.startSession()) {
      String done =
          session.withTransaction(
              () -> {
                runs.incrementAndGet();
                store.append(session, List.of(message), WINDOW);
                return "done";
              });
      assertThat(done).isEqualTo("done");
    }

    assertThat(runs).hasValue(2);
    assertThat(store.find(message.id())).isPresent();
  }

  @Test
  void anAppendWithoutATransactionIsRefusedWithAWayOut() {
    try (ClientSession session = client.startSession()) {
      assertRefusedAndNothingWritten(session, NoTransactionException.class, "startTransaction()");
    }
  }

  @Test
  void anAppendInATransactionOfLessThanAMajorityIsRefused() {
    for (WriteConcern less :
        List.of(
            WriteConcern.W1,
            WriteConcern.JOURNALED.withW(1),
            new WriteConcern("backup"),
            WriteConcern.MAJORITY.withJournal(false))) {
      try (ClientSession session = client.startSession()) {
        session.startTransaction(TransactionOptions.builder().writeConcern(less).build());
        assertRefusedAndNothingWritten(session, PostroadException.class, "write concern majority");
        session.abortTransaction();
      }
    }
  }

  /** The client's and the session's defaults count where the transaction says nothing. */
  @Test
  void defaultsOfLessThanAMajorityAreRefusedToo() {
    try (MongoClient loose = client(WriteConcern.W1);
        ClientSession session = loose.startSession()) {
      session.startTransaction();
      assertRefusedAndNothingWritten(session, PostroadException.class, "w=1");
    }
    ClientSessionOptions one =
        ClientSessionOptions.builder()
            .defaultTransactionOptions(
                TransactionOptions.builder().writeConcern(WriteConcern.W1).build())
            .build();
    try (ClientSession session = client.startSession(one)) {
      session.startTransaction();
      assertRefusedAndNothingWritten(session, PostroadException.class, "w=1");
    }
  }

  @Test
  void theServersDefaultCountsWhereNobodySaysAnything() {
    Message message = Message.event("E").to("d").json("{}").build();
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      store.append(session, List.of(message), WINDOW);
      session.commitTransaction();
    }
    assertThat(store.find(message.id())).isPresent();

    setServerDefault(1);
    try (MongoCompetingStore opened = MongoCompetingStore.open(client, options);
        ClientSession session = client.startSession()) {
      session.startTransaction();
      assertThatThrownBy(() -> opened.append(session, List.of(message), WINDOW))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("w=1");
    } finally {
      setServerDefault("majority");
    }
  }

  private void setServerDefault(Object w) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("setDefaultRWConcern", 1)
                .append("defaultWriteConcern", new Document("w", w)));
  }

  private void assertRefusedAndNothingWritten(
      ClientSession session, Class<? extends Exception> type, String text) {
    Message message = Message.event("E").to("d").deduplicationKey("refused").json("{}").build();
    sent.clear();
    assertThatThrownBy(() -> store.append(session, List.of(message), WINDOW))
        .isInstanceOf(type)
        .hasMessageContaining(text)
        .hasMessageContaining("nothing was written");
    assertThat(sent).isEmpty();
  }

  private List<String> names() {
    return things.find().map(thing -> thing.getString("_id")).into(new ArrayList<>());
  }

  private void fail(int times, String command, int code, String... labels) {
    failPoint(new Document("times", times), command, code, labels);
  }

  private void failAlways(String command, int code, String label) {
    failPoint("alwaysOn", command, code, label);
  }

  private void failPoint(Object mode, String command, int code, String... labels) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("configureFailPoint", "failCommand")
                .append("mode", mode)
                .append(
                    "data",
                    new Document("failCommands", List.of(command))
                        .append("errorCode", code)
                        .append("errorLabels", List.of(labels))));
  }

  private MongoClient client(WriteConcern concern) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.connectionString()))
            .writeConcern(concern)
            .addCommandListener(
                new CommandListener() {
                  @Override
                  public void commandStarted(CommandStartedEvent event) {
                    sent.add(event.getCommandName());
                    beforeSending.accept(event.getCommandName());
                  }
                })
            .build());
  }
}
