package io.postroad.example.rules.run;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** Reads the database directly, without the application. Used by one thread. */
final class Documents implements AutoCloseable {
  private final MongoClient client;
  private final MongoDatabase database;

  Documents(String uri, String name) {
    client = MongoClients.create(uri);
    database = client.getDatabase(name);
  }

  /**
   * @param filter the filter as JSON
   */
  long count(String collection, String filter) {
    return database.getCollection(collection).countDocuments(Document.parse(filter));
  }

  List<Document> find(String collection, String filter) {
    return database.getCollection(collection).find(Document.parse(filter)).into(new ArrayList<>());
  }

  /** Returns the number of events that are not SENT. */
  long unsent() {
    return count("outbox", "{status: {$ne: 'SENT'}}");
  }

  @Override
  public void close() {
    client.close();
  }
}
