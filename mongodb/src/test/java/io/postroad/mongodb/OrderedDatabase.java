package io.postroad.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.log.GapCloser;
import io.postroad.mongodb.internal.schema.SchemaSteps;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;

/** A database with the ordered outbox, empty, with a client and a clock that tests move. */
public final class OrderedDatabase implements AutoCloseable {
  public static final Duration DAY = Duration.ofDays(1);

  private final AtomicLong aheadMillis = new AtomicLong();
  private final MongoClient client;
  private MongoOptions options;

  private OrderedDatabase(String connectionString, String name, CommandListener... listeners) {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder().applyConnectionString(new ConnectionString(connectionString));
    List.of(listeners).forEach(settings::addCommandListener);
    client = MongoClients.create(settings.build());
    options = MongoOptions.defaults().withDatabase(name).withSchemaMode(SchemaMode.MIGRATE);
  }

  public static OrderedDatabase fresh(String name, CommandListener... listeners) {
    MongoServer server = MongoServer.shared();
    return new OrderedDatabase(server.connectionString(), server.freshDatabase(name), listeners);
  }

  /** On another server than the shared one. */
  public static OrderedDatabase at(
      String connectionString, String name, CommandListener... listeners) {
    return new OrderedDatabase(connectionString, name, listeners);
  }

  public MongoClient client() {
    return client;
  }

  public Database database() {
    return new Database(client, options, aheadMillis::get);
  }

  public MongoCollection<BsonDocument> collection(String name) {
    return database().collection(name);
  }

  public MongoOrderedStore open() {
    return open(GapCloser.PATIENCE);
  }

  public MongoOrderedStore open(Duration closeAfter) {
    return MongoOrderedStore.open(client, options, aheadMillis::get, closeAfter);
  }

  MongoInboxStore openInbox() {
    return MongoInboxStore.open(client, options, aheadMillis::get);
  }

  public MongoCommandStore openCommands() {
    return MongoCommandStore.open(client, options, aheadMillis::get);
  }

  public MongoProcessStore openProcesses() {
    return MongoProcessStore.open(client, options, aheadMillis::get);
  }

  /** Removes all data, sets the clock back and sets up so many lanes. */
  public void reset(int lanes) {
    aheadMillis.set(0);
    options = options.withLanes(lanes);
    for (String name : client.getDatabase(options.database()).listCollectionNames()) {
      if (!name.equals(Names.HISTORY)) {
        collection(name).deleteMany(new BsonDocument());
      }
    }
    MongoSchema schema = new MongoSchema(client, options);
    schema.migrate();
    SchemaSteps.ALL.stream()
        .flatMap(step -> SchemaSteps.commands(SchemaSteps.script(step, options)).stream())
        .filter(command -> command.containsKey("update"))
        .forEach(schema::run);
  }

  public void advance(Duration by) {
    aheadMillis.addAndGet(by.toMillis());
  }

  public ClientSession begin() {
    ClientSession session = client.startSession();
    session.startTransaction(
        TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build());
    return session;
  }

  /** Appends in a transaction of its own. */
  public void append(MongoOrderedStore store, Message... messages) {
    try (ClientSession session = begin()) {
      var unused = store.append(session, List.of(messages), DAY);
      session.commitTransaction();
    }
  }

  public static Message message(String key) {
    return Message.event("OrderPlaced").to("orders").key(key).json("{}").build();
  }

  @Override
  public void close() {
    client.getDatabase(options.database()).drop();
    client.close();
  }
}
