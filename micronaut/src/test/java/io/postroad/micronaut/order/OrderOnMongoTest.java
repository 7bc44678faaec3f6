package io.postroad.micronaut.order;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.servers.MongoServer;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.Document;

class OrderOnMongoTest extends OrderContract {
  OrderOnMongoTest() {
    super(start());
  }

  private static ApplicationContext start() {
    return ApplicationContext.run(
        Map.of(
            "test.order",
            "mongodb",
            "mongodb.uri",
            MongoServer.shared().connectionString(),
            "postroad.store.database",
            MongoServer.shared().freshDatabase("micronaut_order"),
            "postroad.store.schema-mode",
            "migrate"));
  }

  /** By the session of the transaction that Micronaut Data is in. */
  @Singleton
  @Requires(property = "test.order", value = "mongodb")
  static class Rows implements OrderRows {
    private final MongoClient client;
    private final TransactionOperations<ClientSession> operations;
    private final String database;

    Rows(
        MongoClient client,
        TransactionOperations<ClientSession> operations,
        @Value("${postroad.store.database}") String database) {
      this.client = client;
      this.operations = operations;
      this.database = database;
      for (String name : List.of("orders", "reservations", "shipments", "audits")) {
        client.getDatabase(database).createCollection(name);
      }
    }

    @Override
    public void add(String table, String id) {
      var unused = collection(table).insertOne(operations.getConnection(), new Document("_id", id));
    }

    @Override
    public List<String> ids(String table) {
      return collection(table)
          .find()
          .map(document -> document.getString("_id"))
          .into(new ArrayList<>());
    }

    @Override
    public long count(String table) {
      return collection(table).countDocuments();
    }

    private MongoCollection<Document> collection(String name) {
      return client.getDatabase(database).getCollection(name);
    }
  }
}
