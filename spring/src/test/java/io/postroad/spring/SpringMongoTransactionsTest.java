package io.postroad.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.postroad.framework.internal.transaction.MongoRuns;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.TransactionEndedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of Spring's own on a replica set that fails at will. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringMongoTransactionsTest {
  private static final int NOT_WRITABLE_PRIMARY = 10107;
  private static final int WRITE_CONFLICT = 112;

  private final List<String> sent = new CopyOnWriteArrayList<>();
  private MongoServer server;
  private MongoClient client;
  private MongoTemplate mongo;
  private MongoTransactionManager manager;
  private SpringMongoTransactions transactions;
  private MongoOrderedStore store;
  private Outbox<ClientSession> outbox;
  private SimpleMongoClientDatabaseFactory factory;

  @BeforeAll
  void start() {
    server =
        MongoServer.started(
            ServerOptions.defaults().withSetting("setParameter.enableTestCommands", "true"));
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .addCommandListener(
                    new CommandListener() {
                      @Override
                      public void commandStarted(CommandStartedEvent event) {
                        sent.add(event.getCommandName());
                      }
                    })
                .build());
    MongoOptions options =
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase("spring"))
            .withSchemaMode(SchemaMode.MIGRATE);
    store = MongoOrderedStore.open(client, options);
    factory = new SimpleMongoClientDatabaseFactory(client, options.database());
    mongo = new MongoTemplate(factory);
    mongo.createCollection("things");
    manager = new PatientMongoTransactionManager(factory, Duration.ofSeconds(20));
    transactions = new SpringMongoTransactions(manager, Duration.ofSeconds(20));
    outbox = Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
  }

  @BeforeEach
  void empty() {
    mongo.getCollection("things").deleteMany(new Document());
    sent.clear();
  }

  @AfterEach
  void heal() {
    admin(new Document("configureFailPoint", "failCommand").append("mode", "off"));
  }

  @AfterAll
  void stop() {
    store.close();
    client.close();
    server.close();
  }

  @Test
  void aMessageIsCommittedWithTheDocumentsOfTheTransaction() {
    Message message = event("A");
    transaction()
        .executeWithoutResult(
            status -> {
              insert("a");
              outbox.append(message);
              assertThat(store.find(message.id())).as("before the commit").isEmpty();
              assertThat(things()).as("before the commit").isEmpty();
            });

    assertThat(things()).containsExactly("a");
    assertThat(store.find(message.id())).isPresent();
  }

  @Test
  void aRollbackTakesTheMessageWithIt() {
    Message message = event("A");
    assertThatThrownBy(
            () ->
                transaction()
                    .executeWithoutResult(
                        status -> {
                          insert("a");
                          outbox.append(message);
                          throw new IllegalStateException("no");
                        }))
        .hasMessage("no");

    assertThat(things()).isEmpty();
    assertThat(store.find(message.id())).isEmpty();
  }

  @Test
  void workThatAbortsItsTransactionAndGoesOnCommitsNothing() {
    AtomicBoolean isFound = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                transactions.run(
                    session -> {
                      insert("lost");
                      session.abortTransaction();
                      session.startTransaction();
                      insert("half");
                      isFound.set(isEnded(session));
                    }))
        .isInstanceOf(TransactionEndedException.class)
        .hasMessageContaining("abortTransaction()");
    assertThat(isFound).as("at once").isTrue();
    assertThat(things()).isEmpty();
  }

  @Test
  void workThatAbortsItsTransactionAndReturnsHasFailed() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    session -> {
                      insert("lost");
                      session.abortTransaction();
                    }))
        .isInstanceOf(TransactionEndedException.class);
    assertThat(things()).isEmpty();
  }

  private boolean isEnded(ClientSession session) {
    try {
      transactions.requireUnended(session);
      return false;
    } catch (TransactionEndedException ended) {
      return true;
    }
  }

  @Test
  void appendOutsideATransactionIsRefused() {
    Message message = event("A");
    assertThatThrownBy(() -> outbox.append(message)).isInstanceOf(NoTransactionException.class);
    template(TransactionDefinition.PROPAGATION_SUPPORTS)
        .executeWithoutResult(
            status ->
                assertThatThrownBy(() -> outbox.append(message))
                    .isInstanceOf(NoTransactionException.class));
    assertThat(store.find(message.id())).isEmpty();
  }

  @Test
  void aReadOnlyTransactionIsRefused() {
    TransactionTemplate readOnly = transaction();
    readOnly.setReadOnly(true);
    readOnly.executeWithoutResult(
        status ->
            assertThatThrownBy(() -> outbox.append(event("A")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("readOnly"));
  }

  @Test
  void aCallJoinsAndRequiresNewIsItsOwn() {
    Message own = event("Own");
    assertThatThrownBy(
            () ->
                transaction()
                    .executeWithoutResult(
                        status -> {
                          transactions.run(session -> insert("outer"));
                          template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                              .executeWithoutResult(inner -> outbox.append(own));
                          assertThat(store.find(own.id())).isPresent();
                          throw new IllegalStateException("outer");
                        }))
        .hasMessage("outer");

    assertThat(things()).isEmpty();
    assertThat(store.find(own.id())).isPresent();
  }

  @Test
  void aTransactionOfAnotherDatabaseInsideOfOursIsRefused() {
    TransactionTemplate other =
        new TransactionTemplate(
            new MongoTransactionManager(new SimpleMongoClientDatabaseFactory(client, "other")));
    transaction()
        .executeWithoutResult(
            status -> {
              other.executeWithoutResult(
                  inner -> {
                    assertThatThrownBy(() -> outbox.append(event("Inside")))
                        .isInstanceOf(NoTransactionException.class)
                        .hasMessageContaining("another transaction manager");
                    assertThatThrownBy(() -> transactions.run(session -> insert("inside")))
                        .isInstanceOf(NoTransactionException.class)
                        .hasMessageContaining("another transaction manager");
                  });
              transactions.run(session -> insert("after"));
            });

    assertThat(things()).containsExactly("after");
  }

  @Test
  void appendAfterTheCommitIsRefusedAndACallIsItsOwn() {
    List<Throwable> thrown = new ArrayList<>();
    Message own = event("Own");
    transaction()
        .executeWithoutResult(
            status -> {
              insert("a");
              TransactionSynchronizationManager.registerSynchronization(
                  new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                      thrown.add(catchThrowable(() -> outbox.append(event("Late"))));
                    }
                  });
              transactions.afterCommit(() -> transactions.run(session -> outbox.append(own)));
            });

    assertThat(thrown).hasSize(1).first().isInstanceOf(NoTransactionException.class);
    assertThat(store.find(own.id())).isPresent();
  }

  @Test
  void aTransientErrorRunsTheWholeWorkAgainAndOnlyTheActionsOfTheLastRun() {
    AtomicInteger runs = new AtomicInteger();
    List<Integer> after = new ArrayList<>();
    fail(2, "insert", WRITE_CONFLICT, "TransientTransactionError");

    int answer =
        transactions.<Integer, RuntimeException>call(
            session -> {
              int run = runs.incrementAndGet();
              transactions.afterCommit(() -> after.add(run));
              insert("run " + run);
              return run;
            });

    assertThat(answer).isEqualTo(3);
    assertThat(things()).containsExactly("run 3");
    assertThat(after).containsExactly(3);
  }

  @Test
  void aTransientErrorAtTheCommitRunsTheWorkAgain() {
    AtomicInteger runs = new AtomicInteger();
    fail(1, "commitTransaction", WRITE_CONFLICT, "TransientTransactionError");

    transactions.run(session -> insert("run " + runs.incrementAndGet()));

    assertThat(things()).containsExactly("run 2");
  }

  /** What was thrown is of another transaction, or of none; this one has committed. */
  @Test
  void aTransientErrorOfASynchronizationAfterTheCommitRunsNothingAgain() {
    AtomicInteger runs = new AtomicInteger();
    List<Integer> after = new ArrayList<>();

    int answer =
        transactions.<Integer, RuntimeException>call(
            session -> {
              int run = runs.incrementAndGet();
              transactions.afterCommit(() -> after.add(run));
              TransactionSynchronizationManager.registerSynchronization(
                  new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                      if (run == 1) {
                        throw conflict();
                      }
                    }
                  });
              insert("run " + run);
              return run;
            });

    assertThat(things()).containsExactly("run 1");
    assertThat(answer).isEqualTo(1);
    assertThat(after).containsExactly(1);
  }

  /** Postroad must not run the caller's method again. */
  @Test
  void aTransientErrorInATransactionOfTheCallerIsTheCallers() {
    AtomicInteger runs = new AtomicInteger();
    fail(1, "insert", WRITE_CONFLICT, "TransientTransactionError");

    Throwable thrown =
        catchThrowable(
            () ->
                transaction()
                    .executeWithoutResult(
                        status ->
                            transactions.run(
                                session -> {
                                  runs.incrementAndGet();
                                  insert("a");
                                })));

    assertThat(MongoRuns.asksForAnotherRun(thrown)).isTrue();
    assertThat(runs).hasValue(1);
    assertThat(things()).isEmpty();
  }

  /** Running the unit again could do everything twice: the first commit may have worked. */
  @Test
  void anUnknownResultRepeatsTheCommitAlone() {
    AtomicInteger runs = new AtomicInteger();
    fail(4, "commitTransaction", NOT_WRITABLE_PRIMARY, "UnknownTransactionCommitResult");

    transactions.run(session -> insert("run " + runs.incrementAndGet()));

    assertThat(runs).hasValue(1);
    assertThat(things()).containsExactly("run 1");
    assertThat(sent.stream().filter("commitTransaction"::equals).count()).isGreaterThan(4);
  }

  @Test
  void withAnotherManagerAnUnknownResultIsSaidSoAndNothingIsRunAgain() {
    SpringMongoTransactions plain =
        new SpringMongoTransactions(new MongoTransactionManager(factory), Duration.ofSeconds(20));
    AtomicInteger runs = new AtomicInteger();
    List<String> after = new ArrayList<>();
    fail(4, "commitTransaction", NOT_WRITABLE_PRIMARY, "UnknownTransactionCommitResult");

    Throwable thrown =
        catchThrowable(
            () ->
                plain.run(
                    session -> {
                      plain.afterCommit(() -> after.add("no"));
                      insert("run " + runs.incrementAndGet());
                    }));

    assertThat(MongoRuns.isUnknownCommit(thrown)).isTrue();
    assertThat(runs).hasValue(1);
    assertThat(after).isEmpty();
  }

  @Test
  void transientErrorsThatDoNotEndAreThrownInTheEnd() {
    SpringMongoTransactions impatient =
        new SpringMongoTransactions(manager, Duration.ofMillis(100));
    admin(failPoint("alwaysOn", "insert", WRITE_CONFLICT, "TransientTransactionError"));

    Throwable thrown = catchThrowable(() -> impatient.run(session -> insert("a")));

    assertThat(MongoRuns.asksForAnotherRun(thrown)).isTrue();
    assertThat(impatient.current()).isEmpty();
  }

  @Test
  void anInnerFailureThatIsSwallowedFailsTheTransaction() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    session -> {
                      insert("a");
                      assertThatThrownBy(
                              () ->
                                  transactions.run(
                                      joined -> {
                                        throw new IOException("inner");
                                      }))
                          .isInstanceOf(IOException.class);
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("nothing was committed")
        .hasCauseInstanceOf(IOException.class);
    assertThat(things()).isEmpty();
  }

  @Test
  void theSessionIsTheOneThatTheTemplateUses() {
    transactions.run(
        session -> {
          insert("a");
          assertThat(
                  mongo
                      .getMongoDatabaseFactory()
                      .getMongoDatabase()
                      .getCollection("things")
                      .countDocuments(session))
              .isEqualTo(1);
          assertThat(transactions.current()).containsSame(session);
        });
    assertThat(things()).containsExactly("a");
  }

  @Test
  void labelsAreFoundBehindWrappers() {
    assertThat(MongoRuns.asksForAnotherRun(new IllegalStateException("w", conflict()))).isTrue();
    assertThat(MongoRuns.asksForAnotherRun(new IllegalStateException("w"))).isFalse();
  }

  private static MongoException conflict() {
    MongoException conflict = new MongoException("conflict");
    conflict.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    return conflict;
  }

  private TransactionTemplate transaction() {
    return new TransactionTemplate(manager);
  }

  private TransactionTemplate template(int propagation) {
    return new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation));
  }

  private void insert(String name) {
    mongo.insert(new Document("_id", name), "things");
  }

  private List<String> things() {
    return client
        .getDatabase(factory.getMongoDatabase().getName())
        .getCollection("things")
        .find()
        .map(thing -> thing.getString("_id"))
        .into(new ArrayList<>());
  }

  private void fail(int times, String command, int code, String label) {
    admin(failPoint(new Document("times", times), command, code, label));
  }

  private static Document failPoint(Object mode, String command, int code, String label) {
    return new Document("configureFailPoint", "failCommand")
        .append("mode", mode)
        .append(
            "data",
            new Document("failCommands", List.of(command))
                .append("errorCode", code)
                .append("errorLabels", List.of(label)));
  }

  private void admin(Document command) {
    client.getDatabase("admin").runCommand(command);
  }

  private static Message event(String type) {
    return Message.event(type).to("things").json("{}").build();
  }
}
