package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.postroad.layout.Layout;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.adopt.AdoptedSchema;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.Document;

/** A database in which a team has an outbox already, as its spec creates it. */
public final class AdoptedDatabase implements AutoCloseable {
  static final String TABLE = "outbox";

  private final AtomicLong aheadMillis = new AtomicLong();
  private final MongoClient client;
  private final MongoOptions options;

  private AdoptedDatabase(MongoServer server, String name) {
    client = MongoClients.create(server.connectionString());
    options =
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase(name))
            .withWakeUpMode(MongoOptions.WakeUpMode.CHANGE_STREAM)
            .withSchemaMode(SchemaMode.MIGRATE);
  }

  /**
   * Sections 3.2 and 8.1 of the spec; where they differ the partial index wins. The unique index is
   * partial as decision 19 wants it, which that of the spec is not.
   */
  public static AdoptedDatabase recurringRules() {
    AdoptedDatabase database = new AdoptedDatabase(MongoServer.shared(), "rules");
    database.run(
        """
        {createIndexes: "outbox", indexes: [
          {key: {status: 1, createdAt: 1}, name: "idx_outbox_pending",
           partialFilterExpression: {status: {$in: ["PENDING", "FAILED"]}}},
          {key: {status: 1, nextRetryAt: 1}, name: "idx_outbox_retry",
           partialFilterExpression: {status: "FAILED"}},
          {key: {processedAt: 1}, name: "idx_outbox_sent_ttl", expireAfterSeconds: 604800,
           partialFilterExpression: {status: "SENT"}},
          {key: {aggregateId: 1, eventType: 1, "payload.occurredAt": 1},
           name: "idx_outbox_unique_event", unique: true,
           partialFilterExpression: {"payload.occurredAt": {$exists: true}}}]}
        """);
    return database;
  }

  /** Section 10.1 of the spec, with the optional index. */
  public static AdoptedDatabase brokerless() {
    AdoptedDatabase database = new AdoptedDatabase(MongoServer.shared(), "brokerless");
    database.run(
        """
        {createIndexes: "outbox", indexes: [
          {key: {status: 1, next_retry_at: 1, created_at: 1},
           name: "status_1_next_retry_at_1_created_at_1"},
          {key: {lease_until: 1}, name: "lease_until_1"},
          {key: {stream: 1, status: 1, next_retry_at: 1},
           name: "stream_1_status_1_next_retry_at_1"}]}
        """);
    return database;
  }

  public MongoClient client() {
    return client;
  }

  public MongoOptions options() {
    return options;
  }

  public MongoDatabase database() {
    return client.getDatabase(options.database());
  }

  public void run(String command) {
    Document unused = database().runCommand(Document.parse(command));
  }

  public MongoCompetingStore open(Layout layout) {
    return open(layout, options);
  }

  public MongoCompetingStore open(Layout layout, MongoOptions changed) {
    return MongoCompetingStore.open(client, changed, layout, aheadMillis::get);
  }

  public Database beside(Layout layout) {
    return new Database(client, AdoptedSchema.beside(options, layout), aheadMillis::get);
  }

  public MongoCollection<BsonDocument> outbox() {
    return database().getCollection(TABLE, BsonDocument.class);
  }

  /** Writes a document as the old application does. */
  void insert(String document) {
    outbox().insertOne(BsonDocument.parse(document));
  }

  public BsonDocument document(String filter) {
    return outbox().find(BsonDocument.parse(filter)).first();
  }

  public void update(String filter, String update) {
    outbox().updateOne(BsonDocument.parse(filter), BsonDocument.parse(update));
  }

  public void advance(Duration by) {
    aheadMillis.addAndGet(by.toMillis());
  }

  public void resetClock() {
    aheadMillis.set(0);
  }

  public static void append(MongoCompetingStore store, Message... messages) {
    store
        .transactions()
        .run(
            (ClientSession session) ->
                store.append(session, List.of(messages), Duration.ofHours(1)));
  }

  public static List<Claim> claim(MongoCompetingStore store, int limit) {
    return store.claim(new ClaimRequest("node", limit, Duration.ofMinutes(1)));
  }

  @Override
  public void close() {
    client.getDatabase(options.database()).drop();
    client.close();
  }
}
