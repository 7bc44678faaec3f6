package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs on a server of ours even where MONGODB_URI is set: hurting it is the point. */
final class MongoServerTest {
  private static final Document ONE = new Document("_id", 1);
  private static final Document TWO = new Document("_id", 2);

  private static MongoServer server;

  @BeforeAll
  static void start() {
    server = MongoServer.local(ServerOptions.defaults(), LocalMongo.Role.SET_OF_ONE);
    server.start();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void transactionsCommitAllOrNothing() {
    try (MongoClient client = MongoClients.create(server.connectionString());
        ClientSession session = client.startSession()) {
      MongoCollection<Document> orders = orders(client, server.freshDatabase("tx"));
      session.startTransaction();
      orders.insertOne(session, ONE);
      session.commitTransaction();
      session.startTransaction();
      orders.insertOne(session, TWO);
      session.abortTransaction();
      assertThat(orders.find()).containsExactly(ONE);
    }
  }

  @Test
  void aStartedServerTakesWritesAndKeepsAJournal() {
    MongoAddress address = new MongoAddress(server.connectionString());
    assertThat(address.hello().getBoolean("isWritablePrimary")).isTrue();
    Document status = address.admin(new Document("replSetGetStatus", 1));
    assertThat(status.getString("set")).isEqualTo("postroad");
    Document config = address.admin(new Document("replSetGetConfig", 1));
    assertThat(
            config.get("config", Document.class).getBoolean("writeConcernMajorityJournalDefault"))
        .isTrue();
  }

  @Test
  void databasesAreFreshEveryTime() {
    assertThat(server.freshDatabase("orders"))
        .startsWith("orders_")
        .isNotEqualTo(server.freshDatabase("orders"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> server.freshDatabase("a.b"))
        .withMessageContaining("must match");
  }

  @Test
  void killAndRestartKeepWhatAMajorityHasAndThePort() {
    String uri = server.connectionString();
    String database = server.freshDatabase("kept");
    try (MongoClient client = MongoClients.create(uri)) {
      orders(client, database).withWriteConcern(WriteConcern.MAJORITY).insertOne(ONE);
    }

    server.kill();

    assertThatThrownBy(() -> ping(uri + "&serverSelectionTimeoutMS=100"))
        .isInstanceOf(MongoException.class);
    server.restart();
    assertThat(server.connectionString()).isEqualTo(uri);
    try (MongoClient client = MongoClients.create(uri)) {
      assertThat(orders(client, database).find()).containsExactly(ONE);
      orders(client, database).insertOne(TWO);
    }
  }

  @Test
  void stopAndStartKeepTheData() {
    String database = server.freshDatabase("stopped");
    try (MongoClient client = MongoClients.create(server.connectionString())) {
      orders(client, database).insertOne(ONE);
    }
    server.stop();
    server.start();
    try (MongoClient client = MongoClients.create(server.connectionString())) {
      assertThat(orders(client, database).find()).containsExactly(ONE);
    }
  }

  @Test
  void aFrozenServerAnswersWhenItIsUnfrozen() throws Exception {
    try (MongoClient client = MongoClients.create(server.connectionString())) {
      MongoCollection<Document> orders = orders(client, server.freshDatabase("frozen"));
      orders.insertOne(ONE);
      server.freeze();
      CompletableFuture<Long> answer = CompletableFuture.supplyAsync(orders::countDocuments);
      assertThat(answer).isNotDone();

      server.unfreeze();

      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void aStandaloneServerHasNoTransactions() {
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("net.maxIncomingConnections", "321")
            .withSetting("setParameter.ttlMonitorSleepSecs", "7");
    try (MongoServer standalone = MongoServer.standalone(options)) {
      assertThatIllegalStateException()
          .isThrownBy(standalone::connectionString)
          .withMessageContaining("start()");
      standalone.start();
      try (MongoClient client = MongoClients.create(standalone.connectionString());
          ClientSession session = client.startSession()) {
        MongoCollection<Document> orders = orders(client, standalone.freshDatabase("alone"));
        orders.insertOne(ONE);
        assertThat(orders.find()).containsExactly(ONE);
        session.startTransaction();
        assertThatThrownBy(() -> orders.insertOne(session, TWO))
            .isInstanceOf(MongoException.class)
            .hasMessageContaining("deployment does not support");
      }
      assertSettingsReached(new MongoAddress(standalone.connectionString()));
      assertThatThrownBy(MongoServer.external(standalone.connectionString())::start)
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("is standalone, must be a replica set");
    }
  }

  private static void assertSettingsReached(MongoAddress address) {
    Document parsed =
        address.admin(new Document("getCmdLineOpts", 1)).get("parsed", Document.class);
    assertThat(parsed.get("net", Document.class)).containsEntry("maxIncomingConnections", 321);
    assertThat(address.admin(new Document("getParameter", 1).append("ttlMonitorSleepSecs", 1)))
        .containsEntry("ttlMonitorSleepSecs", 7);
  }

  @Test
  void settingsThatLoseWritesAreRefused() {
    ServerOptions unsafe = ServerOptions.defaults().withSetting("storage.journal.enabled", "false");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MongoServer.standalone(unsafe))
        .withMessageContaining("storage.journal.enabled must be true, got false");
  }

  @Test
  void aServerFromTheEnvironmentIsUsedButNeverHurt() {
    MongoServer external = MongoServer.external(server.connectionString());
    external.start();
    ping(external.connectionString());
    for (Runnable hurt :
        new Runnable[] {external::kill, external::freeze, external::unfreeze, external::restart}) {
      assertThatIllegalStateException()
          .isThrownBy(hurt::run)
          .withMessageContaining("MONGODB_URI points to: it is not ours");
    }
    external.stop();
    external.close();
    ping(server.connectionString());
  }

  @Test
  void aServerFromTheEnvironmentMustAnswer() {
    MongoServer absent =
        MongoServer.external(
            "mongodb://u:secret@127.0.0.1:%d/?serverSelectionTimeoutMS=100"
                .formatted(FreePort.find()));
    assertThatThrownBy(absent::start)
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("does not answer")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> MongoServer.external("localhost:27017"))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("mongodb://host:port");
  }

  private static MongoCollection<Document> orders(MongoClient client, String database) {
    return client.getDatabase(database).getCollection("orders");
  }

  private static void ping(String uri) {
    try (MongoClient client = MongoClients.create(uri)) {
      client.getDatabase("admin").runCommand(new Document("ping", 1));
    }
  }
}
