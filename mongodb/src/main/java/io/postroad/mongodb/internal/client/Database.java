package io.postroad.mongodb.internal.client;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.postroad.mongodb.MongoOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/**
 * The collections of one outbox, with concerns of our own: what we read and write is what a
 * majority has, on the primary, whatever the client's settings are.
 */
public final class Database {
  private final MongoClient client;
  private final MongoOptions options;
  private final MongoDatabase callers;
  private final MongoDatabase own;
  private final ServerTime time;

  /**
   * @param aheadMillis how far tests have moved the database's clock; 0 otherwise
   */
  public Database(MongoClient client, MongoOptions options, LongSupplier aheadMillis) {
    this.client = client;
    this.options = options;
    this.callers =
        client
            .getDatabase(options.database())
            .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(ReadConcern.MAJORITY)
            .withWriteConcern(WriteConcern.MAJORITY.withJournal(true));
    this.own = callers.withTimeout(options.operationTimeout().toMillis(), TimeUnit.MILLISECONDS);
    this.time = new ServerTime(own, aheadMillis);
  }

  public Database(MongoClient client, MongoOptions options) {
    this(client, options, () -> 0);
  }

  public MongoClient client() {
    return client;
  }

  public MongoOptions options() {
    return options;
  }

  public ServerTime time() {
    return time;
  }

  /** The database for operations of our own, bounded in time. */
  public MongoDatabase own() {
    return own;
  }

  /** The database for operations in the caller's session, and for those that may take long. */
  public MongoDatabase callers() {
    return callers;
  }

  /** A collection for operations of our own, bounded in time. */
  public MongoCollection<BsonDocument> collection(String name) {
    return own.getCollection(options.prefix() + name, BsonDocument.class);
  }

  /**
   * A collection for reads of our own that want the latest, which a majority may not have yet: for
   * what is checked again, or only shown.
   */
  public MongoCollection<BsonDocument> latest(String name) {
    return latest(collection(name));
  }

  public static MongoCollection<BsonDocument> latest(MongoCollection<BsonDocument> collection) {
    return collection.withReadConcern(ReadConcern.LOCAL);
  }

  /** A collection for operations in the caller's session, which has the caller's limits. */
  public MongoCollection<BsonDocument> callersCollection(String name) {
    return callers.getCollection(options.prefix() + name, BsonDocument.class);
  }

  /** Does {@code operation}; an error of the driver becomes one that says {@code what} failed. */
  public static <R> R call(String what, Supplier<R> operation) {
    try {
      return operation.get();
    } catch (MongoException failed) {
      throw MongoErrors.failed(what, failed);
    }
  }
}
