package io.postroad.mongodb.internal.client;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoInboxStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.mongodb.MongoSchema;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;

/** A fresh database on the shared server, with a client and a clock that tests move. */
public final class TestDatabase implements AutoCloseable {
  private final AtomicLong aheadMillis = new AtomicLong();
  private final MongoClient client;
  private MongoOptions options;

  private TestDatabase(MongoServer server, String name) {
    client = MongoClients.create(server.connectionString());
    options =
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase(name))
            .withSchemaMode(SchemaMode.VERIFY);
  }

  /** A database without a schema of ours. */
  public static TestDatabase empty(String name) {
    return new TestDatabase(MongoServer.shared(), name);
  }

  /** A database with our schema. */
  public static TestDatabase migrated(String name) {
    TestDatabase database = empty(name);
    new MongoSchema(database.client, database.options).migrate();
    return database;
  }

  /** The same with the index of streams. */
  static TestDatabase withStreams(String name) {
    TestDatabase database = empty(name);
    database.options = database.options.withStreams(true);
    new MongoSchema(database.client, database.options).migrate();
    return database;
  }

  public MongoClient client() {
    return client;
  }

  public MongoOptions options() {
    return options;
  }

  public MongoCompetingStore open() {
    return open(options);
  }

  public MongoCompetingStore open(MongoOptions changed) {
    return MongoCompetingStore.open(client, changed, aheadMillis::get);
  }

  MongoInboxStore openInbox() {
    return MongoInboxStore.open(client, options, aheadMillis::get);
  }

  MongoCommandStore openCommands() {
    return MongoCommandStore.open(client, options, aheadMillis::get);
  }

  MongoProcessStore openProcesses() {
    return MongoProcessStore.open(client, options, aheadMillis::get);
  }

  /** The collections, as the stores see them. */
  public Database database() {
    return new Database(client, options, aheadMillis::get);
  }

  public MongoCollection<BsonDocument> collection(String name) {
    return database().collection(name);
  }

  void advance(Duration by) {
    aheadMillis.addAndGet(by.toMillis());
  }

  /** Removes all data and sets the clock back. */
  public void reset() {
    for (String name :
        List.of(
            Names.OUTBOX,
            Names.DEAD,
            Names.AUDIT,
            Names.PAUSE,
            Names.SIGNAL,
            Names.LEASE,
            Names.INBOX,
            Names.INBOX_WAITING,
            Names.COMMAND,
            Names.COMMAND_SIGNAL)) {
      collection(name).deleteMany(new BsonDocument());
    }
    collection(Names.DEDUP).deleteMany(BsonDocument.parse("{\"expires_at\": {\"$exists\": true}}"));
    aheadMillis.set(0);
  }

  @Override
  public void close() {
    client.getDatabase(options.database()).drop();
    client.close();
  }
}
