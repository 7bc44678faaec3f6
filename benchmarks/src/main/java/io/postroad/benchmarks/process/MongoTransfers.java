package io.postroad.benchmarks.process;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.UuidRepresentation;

/** Transfers on their own MongoDB, a replica set of one; every commit waits for the disk. */
final class MongoTransfers implements TransferDatabase, HandwrittenTransfers.Database {
  private static final String ENTRY = "entry";
  private static final String LIMIT = "limit_transfer";
  private static final TransactionOptions MAJORITY =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .build();

  private final MongoServer server;
  private final MongoClient client;
  private final MongoDatabase database;
  private final LongAdder commands = new LongAdder();
  private final LongAdder commits = new LongAdder();

  private MongoTransfers(MongoServer server, boolean isCounted) {
    this.server = server;
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.connectionString()))
            .uuidRepresentation(UuidRepresentation.STANDARD);
    if (isCounted) {
      settings.addCommandListener(
          new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
              commands.increment();
              if (event.getCommandName().equals("commitTransaction")) {
                commits.increment();
              }
            }
          });
    }
    this.client = MongoClients.create(settings.build());
    this.database = client.getDatabase("bench");
  }

  /**
   * Starts a server.
   *
   * @param isCounted whether commands are counted, which costs time
   */
  static MongoTransfers start(boolean isCounted) {
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("storage.syncPeriodSecs", "3600")
            .withSetting("storage.wiredTiger.engineConfig.cacheSizeGB", "1")
            .withSetting("replication.oplogSizeMB", "4096");
    return new MongoTransfers(MongoServer.started(options), isCounted);
  }

  @Override
  public String name() {
    return "mongodb";
  }

  @Override
  public ProcessContender limit() {
    reset();
    database.createCollection(LIMIT);
    return new HandwrittenTransfers(this);
  }

  @Override
  public ProcessContender postroad() {
    reset();
    MongoOptions options =
        MongoOptions.defaults().withDatabase(database.getName()).withSchemaMode(SchemaMode.MIGRATE);
    return new PostroadTransfers<>(
        MongoCommandStore.open(client, options),
        MongoProcessStore.open(client, options),
        this::write);
  }

  private void reset() {
    database.drop();
    database.createCollection(ENTRY);
  }

  private void write(ClientSession session, long transfer, String step) {
    var unused =
        database
            .getCollection(ENTRY)
            .insertOne(session, new Document("transfer", transfer).append("step", step));
  }

  /** Writes one document without a transaction; it waits for the disk, too. */
  @Override
  public void start(UUID id, long number, String step, String data) {
    commits.increment();
    var unused =
        database
            .getCollection(LIMIT)
            .withWriteConcern(WriteConcern.MAJORITY)
            .insertOne(
                new Document("_id", id)
                    .append("number", number)
                    .append("status", "RUNNING")
                    .append("step", step)
                    .append("data", data));
  }

  @Override
  public void step(UUID id, long number, String done, HandwrittenTransfers.State next) {
    inTransaction(
        session -> {
          write(session, number, done);
          move(session, id, next);
        });
  }

  @Override
  public void move(UUID id, HandwrittenTransfers.State next) {
    inTransaction(session -> move(session, id, next));
  }

  private void move(ClientSession session, UUID id, HandwrittenTransfers.State next) {
    var unused =
        database
            .getCollection(LIMIT)
            .updateOne(
                session,
                Filters.eq(id),
                Updates.combine(
                    Updates.set("status", next.status()),
                    Updates.set("step", next.step()),
                    Updates.set("data", next.data()),
                    Updates.currentDate("updated_at")));
  }

  private void inTransaction(Consumer<ClientSession> work) {
    try (ClientSession session = client.startSession()) {
      boolean unused =
          session.withTransaction(
              () -> {
                work.accept(session);
                return true;
              },
              MAJORITY);
    }
  }

  @Override
  public void flush() {
    Document unused = client.getDatabase("admin").runCommand(new Document("fsync", 1));
  }

  @Override
  public Entries entries() {
    long all = 0;
    long undone = 0;
    Set<String> different = new HashSet<>();
    for (Document entry : database.getCollection(ENTRY).find()) {
      all++;
      different.add(entry.getLong("transfer") + " " + entry.getString("step"));
      undone += entry.getString("step").startsWith("Undo") ? 1 : 0;
    }
    return new Entries(all, different.size(), undone);
  }

  @Override
  public Spent spent() {
    return new Spent(commits.sum(), commands.sum());
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
