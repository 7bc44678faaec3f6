package io.postroad.benchmarks.outbox;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.OutboxStore;
import java.util.List;
import org.bson.Document;

/** MongoDB, a replica set of one, for one run, and its entrants. */
final class MongoBench implements BenchDatabase {
  private static final List<ContenderFactory<MongoArena>> FACTORIES =
      List.of(
          new ContenderFactory<>(new Entrant(Entrant.SUBJECT, true), MongoBench::ordered),
          new ContenderFactory<>(new Entrant("postroad-competing", false), MongoBench::competing),
          new ContenderFactory<>(new Entrant("limit-queue", false), MongoQueue::contender),
          new ContenderFactory<>(new Entrant("limit-log", true), MongoLog::contender),
          new ContenderFactory<>(
              new Entrant("counter-inside", true).onlyIn(HotKeyMeasure.NAME),
              MongoLog::counterInside));

  private final MongoServer server;
  private final StatementCount commands = new StatementCount();
  private final MongoClient client;

  private MongoBench(MongoServer server) {
    this.server = server;
    this.client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .addCommandListener(new CommandCounter(commands))
                .build());
  }

  static MongoBench start() {
    // Every round begins with a checkpoint; none may occur in the middle of a round.
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("storage.syncPeriodSecs", "3600")
            .withSetting("storage.wiredTiger.engineConfig.cacheSizeGB", "1")
            .withSetting("replication.oplogSizeMB", "4096");
    return new MongoBench(MongoServer.started(options));
  }

  static List<Entrant> entrants() {
    return ContenderFactory.entrants(FACTORIES);
  }

  @Override
  public Stage stage(Entrant entrant, Topic topic) throws Exception {
    MongoDatabase database = client.getDatabase("bench_" + entrant.label().replace('-', '_'));
    database.drop();
    MongoArena arena = new MongoArena(client, database, new MongoOrders(database), topic);
    return new Stage(
        ContenderFactory.of(entrant, FACTORIES).enter(arena),
        new MongoMeter(client, commands),
        commands,
        () -> {
          throw new UnsupportedOperationException("--held is measured on PostgreSQL only");
        });
  }

  private static Contender ordered(MongoArena arena) {
    return postroad(arena, MongoOrderedStore.open(arena.client(), options(arena)));
  }

  private static Contender competing(MongoArena arena) {
    return postroad(arena, MongoCompetingStore.open(arena.client(), options(arena)));
  }

  private static Contender postroad(MongoArena arena, OutboxStore<ClientSession> store) {
    return new PostroadContender<>(store, arena.orders(), arena.topic());
  }

  private static MongoOptions options(MongoArena arena) {
    return MongoOptions.defaults()
        .withDatabase(arena.database().getName())
        .withSchemaMode(SchemaMode.MIGRATE);
  }

  @Override
  public void flush() {
    client.getDatabase("admin").runCommand(new Document("fsync", 1));
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
