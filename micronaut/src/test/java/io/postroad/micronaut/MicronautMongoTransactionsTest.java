package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Transactions of Micronaut Data on a replica set that fails at will. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MicronautMongoTransactionsTest {
  private static final int NOT_WRITABLE_PRIMARY = 10107;
  private static final int WRITE_CONFLICT = 112;

  private MongoServer server;
  private ApplicationContext context;
  private MongoClient client;
  private String database;
  private TransactionOperations<ClientSession> operations;
  private MicronautMongoTransactions transactions;
  private MongoOrderedStore store;
  private Outbox<ClientSession> outbox;

  @BeforeAll
  @SuppressWarnings("unchecked")
  void start() {
    server =
        MongoServer.started(
            ServerOptions.defaults().withSetting("setParameter.enableTestCommands", "true"));
    database = server.freshDatabase("micronaut");
    context =
        ApplicationContext.run(
            Map.of("postroad.enabled", "false", "mongodb.uri", server.connectionString()));
    client = context.getBean(MongoClient.class);
    operations = context.getBean(Argument.of(TransactionOperations.class, ClientSession.class));
    store =
        MongoOrderedStore.open(
            client,
            MongoOptions.defaults().withDatabase(database).withSchemaMode(SchemaMode.MIGRATE));
    client.getDatabase(database).createCollection("things");
    transactions = new MicronautMongoTransactions(operations, Duration.ofSeconds(20));
    outbox = Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
  }

  @BeforeEach
  void empty() {
    client.getDatabase(database).getCollection("things").deleteMany(new Document());
  }

  @AfterEach
  void heal() {
    admin(new Document("configureFailPoint", "failCommand").append("mode", "off"));
  }

  @AfterAll
  void stop() {
    store.close();
    context.close();
    server.close();
  }

  @Test
  void aMessageIsCommittedOrRolledBackWithTheDocumentsOfTheTransaction() {
    Message kept = event("A");
    boolean unused =
        operations.executeWrite(
            status -> {
              insert(status.getConnection(), "a");
              outbox.append(kept);
              assertThat(store.find(kept.id())).as("before the commit").isEmpty();
              return true;
            });
    Message dropped = event("B");
    assertThatThrownBy(
            () ->
                operations.executeWrite(
                    status -> {
                      insert(status.getConnection(), "b");
                      outbox.append(dropped);
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class);

    assertThat(things()).containsExactly("a");
    assertThat(store.find(kept.id())).isPresent();
    assertThat(store.find(dropped.id())).isEmpty();
  }

  @Test
  void workThatAbortsItsTransactionAndGoesOnCommitsNothing() {
    AtomicBoolean isFound = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                transactions.run(
                    session -> {
                      insert(session, "lost");
                      session.abortTransaction();
                      session.startTransaction();
                      insert(session, "half");
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
                      insert(session, "lost");
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
  void appendWithoutATransactionIsRefused() {
    assertThatThrownBy(() -> outbox.append(event("A"))).isInstanceOf(NoTransactionException.class);
    boolean unused =
        operations.execute(
            TransactionDefinition.of(TransactionDefinition.Propagation.NOT_SUPPORTED),
            status -> {
              assertThatThrownBy(() -> outbox.append(event("A")))
                  .isInstanceOf(NoTransactionException.class);
              return true;
            });
  }

  @Test
  void aCallIsRunAgainAfterAWriteConflict() {
    AtomicInteger runs = new AtomicInteger();
    List<String> told = new ArrayList<>();
    failNext("insert", WRITE_CONFLICT, "TransientTransactionError");
    Message message = event("A");

    transactions.run(
        session -> {
          int run = runs.incrementAndGet();
          transactions.afterCommit(() -> told.add("run " + run));
          insert(session, "a");
          outbox.append(message);
        });

    assertThat(runs).hasValue(2);
    assertThat(told).containsExactly("run 2");
    assertThat(things()).containsExactly("a");
    assertThat(store.find(message.id())).isPresent();
  }

  /** Micronaut answers it by an abort that the driver refuses, and that hides what happened. */
  @Test
  void aCommitWithAnUnknownResultIsRepeatedAndTheWorkIsNot() {
    AtomicInteger runs = new AtomicInteger();
    List<String> told = new ArrayList<>();
    failNextTwice("commitTransaction", NOT_WRITABLE_PRIMARY);

    String answer =
        transactions.call(
            session -> {
              runs.incrementAndGet();
              transactions.afterCommit(() -> told.add("committed"));
              insert(session, "a");
              return "done";
            });

    assertThat(answer).isEqualTo("done");
    assertThat(runs).hasValue(1);
    assertThat(told).containsExactly("committed");
    assertThat(things()).containsExactly("a");
  }

  @Test
  void aCommitThatWasUndoneRunsTheWorkAgain() {
    AtomicInteger runs = new AtomicInteger();

    transactions.run(
        session -> {
          insert(session, "a");
          if (runs.incrementAndGet() == 1) {
            abortBehindItsBack(session);
          }
        });

    assertThat(runs).hasValue(2);
    assertThat(things()).containsExactly("a");
  }

  @Test
  void aTransactionOfTheCallerIsNotRunAgain() {
    AtomicInteger runs = new AtomicInteger();
    failNext("insert", WRITE_CONFLICT, "TransientTransactionError");

    assertThatThrownBy(
            () ->
                operations.executeWrite(
                    status -> {
                      transactions.run(
                          session -> {
                            runs.incrementAndGet();
                            insert(session, "a");
                          });
                      return true;
                    }))
        .isInstanceOf(com.mongodb.MongoException.class);

    assertThat(runs).hasValue(1);
    assertThat(things()).isEmpty();
  }

  @Test
  void anInnerFailureThatIsSwallowedFailsTheTransaction() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    session -> {
                      insert(session, "a");
                      assertThatThrownBy(
                              () ->
                                  operations.executeWrite(
                                      status -> {
                                        throw new IOException("inner");
                                      }))
                          .isInstanceOf(IOException.class);
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("nothing was committed");
    assertThat(things()).isEmpty();
  }

  private void abortBehindItsBack(ClientSession session) {
    Document unused =
        client
            .getDatabase("admin")
            .runCommand(new Document("killSessions", List.of(new Document("id", id(session)))));
  }

  private static Object id(ClientSession session) {
    return Objects.requireNonNull(session.getServerSession().getIdentifier().get("id"));
  }

  private void failNext(String command, int code, String label) {
    admin(
        new Document("configureFailPoint", "failCommand")
            .append("mode", new Document("times", 1))
            .append(
                "data",
                new Document("failCommands", List.of(command))
                    .append("errorCode", code)
                    .append("errorLabels", List.of(label))));
  }

  /** The driver itself repeats a commit once. */
  private void failNextTwice(String command, int code) {
    admin(
        new Document("configureFailPoint", "failCommand")
            .append("mode", new Document("times", 2))
            .append(
                "data", new Document("failCommands", List.of(command)).append("errorCode", code)));
  }

  private void admin(Document command) {
    Document unused = client.getDatabase("admin").runCommand(command);
  }

  private void insert(ClientSession session, String name) {
    var unused =
        client
            .getDatabase(database)
            .getCollection("things")
            .insertOne(session, new Document("_id", name));
  }

  private List<String> things() {
    return client
        .getDatabase(database)
        .getCollection("things")
        .find()
        .map(thing -> thing.getString("_id"))
        .into(new ArrayList<>());
  }

  private static Message event(String type) {
    return Message.event(type).to("things").json("{}").build();
  }
}
