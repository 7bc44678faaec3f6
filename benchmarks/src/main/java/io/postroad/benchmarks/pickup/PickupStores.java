package io.postroad.benchmarks.pickup;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.benchmarks.Sql;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.CommandStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.bson.Document;

/**
 * The stores of one database, and the writes of handlers.
 *
 * @param <T> the type of a database transaction
 */
record PickupStores<T>(
    OrderedStore<T> outbox,
    CommandStore<T> commands,
    ProcessStore<T> processes,
    Effect<T> effect,
    AutoCloseable connections)
    implements AutoCloseable {
  private static final String MONGO = "mongodb";
  private static final String EFFECT = "effect";
  private static final int POOL = 30;

  /**
   * Writes the effect of a handler: a second handler with the same effect waits for the first, or
   * fails.
   */
  interface Effect<T> {
    void write(T transaction, String what) throws Exception;
  }

  /**
   * Opens the stores at an address.
   *
   * @param address a JDBC URL, or a MongoDB connection string, a space and a database
   */
  static PickupStores<?> open(String address, SchemaMode mode) throws SQLException {
    return address.startsWith(MONGO) ? mongo(address, mode) : postgres(address, mode);
  }

  private static PickupStores<Connection> postgres(String url, SchemaMode mode)
      throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(POOL);
    config.setConnectionTimeout(2_000);
    HikariDataSource pool = new HikariDataSource(config);
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(mode);
    if (mode == SchemaMode.MIGRATE) {
      Sql.run(pool, "CREATE TABLE effect (what text PRIMARY KEY)");
    }
    return new PickupStores<>(
        PostgresOrderedStore.open(pool, options),
        PostgresCommandStore.open(pool, options),
        PostgresProcessStore.open(pool, options),
        PickupStores::insert,
        pool);
  }

  private static void insert(Connection connection, String what) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (what) VALUES (?)")) {
      insert.setString(1, what);
      insert.executeUpdate();
    }
  }

  private static PickupStores<ClientSession> mongo(String address, SchemaMode mode) {
    String[] parts = address.split(" ", 2);
    MongoClient client = MongoClients.create(parts[0]);
    MongoOptions options = MongoOptions.defaults().withDatabase(parts[1]).withSchemaMode(mode);
    if (mode == SchemaMode.MIGRATE) {
      client.getDatabase(parts[1]).createCollection(EFFECT);
    }
    MongoCollection<Document> effects = client.getDatabase(parts[1]).getCollection(EFFECT);
    return new PickupStores<>(
        MongoOrderedStore.open(client, options),
        MongoCommandStore.open(client, options),
        MongoProcessStore.open(client, options),
        (session, what) -> insert(effects, session, what),
        client);
  }

  private static void insert(MongoCollection<Document> effects, ClientSession session, String what)
      throws MongoException {
    var unused = effects.insertOne(session, new Document("_id", what));
  }

  @Override
  public void close() throws Exception {
    outbox.close();
    commands.close();
    processes.close();
    connections.close();
  }
}
