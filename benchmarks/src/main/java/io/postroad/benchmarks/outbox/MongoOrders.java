package io.postroad.benchmarks.outbox;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.time.Instant;
import org.bson.Document;

/** The business collection. Thread-safe. */
final class MongoOrders implements Orders<ClientSession> {
  private static final String NAME = "orders";

  private final MongoCollection<Document> orders;

  /** Creates the collection, so that no transaction has to. */
  MongoOrders(MongoDatabase database) {
    database.createCollection(NAME);
    this.orders = database.getCollection(NAME);
  }

  @Override
  public void insert(ClientSession session, Event event) {
    orders.insertOne(
        session,
        new Document("customer", event.key())
            .append("amount", (long) event.seq())
            .append("placed_at", Instant.now()));
  }
}
