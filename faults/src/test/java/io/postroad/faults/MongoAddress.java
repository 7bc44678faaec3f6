package io.postroad.faults;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoCompetingStore;
import io.postroad.mongodb.MongoInboxStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.OutboxStore;

record MongoAddress(String connectionString, String database)
    implements DatabaseAddress, HandlerDatabase {
  static MongoAddress parse(String text) {
    int space = text.lastIndexOf(' ');
    return new MongoAddress(text.substring(0, space), text.substring(space + 1));
  }

  @Override
  public String text() {
    return connectionString + " " + database;
  }

  /**
   * @param application how the server knows its connections
   */
  MongoClient connect(String application) {
    return connect(application, new CommandListener() {});
  }

  /**
   * @param listener hears of every command before the driver goes on
   */
  MongoClient connect(String application, CommandListener listener) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(connectionString))
            .applicationName(application)
            .addCommandListener(listener)
            .build());
  }

  @Override
  public OpenOutbox<ClientSession> open(StoreKind kind, String application, StopPoints points) {
    return open(kind, connect(application), SchemaMode.VERIFY);
  }

  /**
   * @param client is closed with the outbox
   */
  OpenOutbox<ClientSession> open(StoreKind kind, MongoClient client, SchemaMode mode) {
    MongoOptions options = MongoOptions.defaults().withDatabase(database).withSchemaMode(mode);
    OutboxStore<ClientSession> store =
        switch (kind) {
          case COMPETING -> MongoCompetingStore.open(client, options);
          case ORDERED -> MongoOrderedStore.open(client, options);
        };
    return new OpenOutbox<>(store, client);
  }

  @Override
  public OpenInbox<ClientSession> openInbox(String application, SchemaMode mode) {
    MongoClient client = connect(application);
    MongoOptions options = MongoOptions.defaults().withDatabase(database).withSchemaMode(mode);
    return new OpenInbox<>(
        MongoInboxStore.open(client, options),
        MongoOrderedStore.open(client, options.withPrefix(OpenInbox.RETRY_PREFIX)),
        effects(client, mode),
        client);
  }

  @Override
  public OpenCommands<ClientSession> openCommands(String application, SchemaMode mode) {
    MongoClient client = connect(application);
    MongoOptions options = MongoOptions.defaults().withDatabase(database).withSchemaMode(mode);
    return new OpenCommands<>(
        MongoCommandStore.open(client, options),
        MongoOrderedStore.open(client, options),
        effects(client, mode),
        client);
  }

  @Override
  public OpenProcesses<ClientSession> openProcesses(String application, SchemaMode mode) {
    OpenCommands<ClientSession> commands = openCommands(application, mode);
    MongoOptions options = MongoOptions.defaults().withDatabase(database).withSchemaMode(mode);
    return new OpenProcesses<>(
        MongoProcessStore.open((MongoClient) commands.connections(), options), commands);
  }

  @Override
  public OpenStreams<ClientSession> openStreams(String application, SchemaMode mode) {
    MongoClient client = connect(application);
    MongoOptions options =
        MongoOptions.defaults().withDatabase(database).withSchemaMode(mode).withStreams(true);
    return new OpenStreams<>(
        MongoCompetingStore.open(client, options), effects(client, mode), client);
  }

  private MongoEffects effects(MongoClient client, SchemaMode mode) {
    MongoEffects effects = new MongoEffects(client.getDatabase(database));
    if (mode == SchemaMode.MIGRATE) {
      effects.create();
    }
    return effects;
  }
}
