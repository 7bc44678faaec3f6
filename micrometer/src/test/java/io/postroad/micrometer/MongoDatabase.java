package io.postroad.micrometer;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.mongodb.MongoCommandStore;
import io.postroad.mongodb.MongoInboxStore;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoOrderedStore;
import io.postroad.mongodb.MongoProcessStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.MongoServer;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;

final class MongoDatabase implements Database<ClientSession> {
  private final MongoClient client;
  private final OrderedStore<ClientSession> outbox;
  private final OrderedStore<ClientSession> retries;
  private final InboxStore<ClientSession> inbox;
  private final CommandStore<ClientSession> commands;
  private final ProcessStore<ClientSession> processes;

  MongoDatabase(String name) {
    MongoServer server = MongoServer.shared();
    client = MongoClients.create(server.connectionString());
    MongoOptions options =
        MongoOptions.defaults()
            .withDatabase(server.freshDatabase(name))
            .withSchemaMode(SchemaMode.MIGRATE);
    outbox = MongoOrderedStore.open(client, options);
    retries = MongoOrderedStore.open(client, options.withPrefix("retry_"));
    inbox = MongoInboxStore.open(client, options);
    commands = MongoCommandStore.open(client, options);
    processes = MongoProcessStore.open(client, options);
  }

  @Override
  public OrderedStore<ClientSession> outbox() {
    return outbox;
  }

  @Override
  public OrderedStore<ClientSession> retries() {
    return retries;
  }

  @Override
  public InboxStore<ClientSession> inbox() {
    return inbox;
  }

  @Override
  public CommandStore<ClientSession> commands() {
    return commands;
  }

  @Override
  public ProcessStore<ClientSession> processes() {
    return processes;
  }

  @Override
  public void close() {
    processes.close();
    commands.close();
    inbox.close();
    retries.close();
    outbox.close();
    client.close();
  }
}
