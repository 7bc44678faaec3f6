package io.postroad.micronaut;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.servers.MongoServer;
import java.util.Map;

/** A fresh database on the shared server, with transactions of Micronaut. */
final class TestMongo implements AutoCloseable {
  private final String database;
  private final ApplicationContext context;

  TestMongo(String name) {
    database = MongoServer.shared().freshDatabase(name);
    context =
        ApplicationContext.run(
            Map.of(
                "postroad.enabled",
                "false",
                "mongodb.uri",
                MongoServer.shared().connectionString()));
  }

  String database() {
    return database;
  }

  MongoClient client() {
    return context.getBean(MongoClient.class);
  }

  @SuppressWarnings("unchecked")
  TransactionOperations<ClientSession> operations() {
    return context.getBean(Argument.of(TransactionOperations.class, ClientSession.class));
  }

  @Override
  public void close() {
    context.close();
  }
}
