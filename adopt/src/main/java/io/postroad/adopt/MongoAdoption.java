package io.postroad.adopt;

import com.mongodb.ConnectionString;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.postroad.adopt.internal.CollectionShape;
import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.adopt.AdoptedSchema;
import io.postroad.mongodb.internal.client.Database;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Inspects a collection that a team already has and reports how Postroad would run on it. Only
 * reads: a sample of the documents from both ends, the indexes, and all documents once to count
 * them by status.
 */
public final class MongoAdoption {
  private MongoAdoption() {}

  /**
   * Inspects a collection.
   *
   * @throws PostroadException when the database cannot be read
   */
  public static Adoption inspect(MongoClient client, String database, String collection) {
    return inspect(client, database, collection, Recogniser.ofCollections());
  }

  /** Inspects a collection with a recogniser that was given some of the fields. */
  public static Adoption inspect(
      MongoClient client, String database, String collection, Recogniser recogniser) {
    return inspect(client, database, collection, recogniser::recognise);
  }

  /** Inspects the collection of a layout that was written or changed by hand. */
  public static Adoption inspect(MongoClient client, String database, Layout layout) {
    return inspect(
        client, database, layout.table(), (shape, rows) -> Recogniser.check(layout, shape, rows));
  }

  /** Inspects a collection over a client of its own. */
  static Adoption at(String connectionString, String collection) {
    ConnectionString address = new ConnectionString(connectionString);
    String database = address.getDatabase();
    if (database == null) {
      throw new IllegalArgumentException(
          "the connection string names no database; add it, as in mongodb://localhost:27017/shop");
    }
    try (MongoClient client = MongoClients.create(address)) {
      return inspect(client, database, collection);
    } catch (MongoException failed) {
      throw new PostroadException(
          "could not inspect collection %s: %s".formatted(collection, failed.getMessage()), failed);
    }
  }

  private static Adoption inspect(
      MongoClient client,
      String database,
      String collection,
      BiFunction<TableShape, RowCounter, Recognition> how) {
    MongoOptions options = MongoOptions.defaults().withDatabase(database);
    return Database.call(
        "inspect collection " + collection,
        () -> {
          CollectionShape documents =
              new CollectionShape(new Database(client, options), collection);
          TableShape shape = documents.shape();
          Recognition recognition = how.apply(shape, documents);
          Adoption found = Adoption.of(shape, recognition, List.of(), List.of());
          Optional<Layout> layout = recognition.found();
          if (layout.isEmpty()) {
            return found;
          }
          try {
            List<String> indexes = missingIndexes(client, options, layout.get());
            return Adoption.of(shape, recognition, List.of(), indexes);
          } catch (LayoutException refused) {
            return found.withProblems(refused.problems());
          } catch (IllegalArgumentException refused) {
            return found.withProblems(List.of(String.valueOf(refused.getMessage())));
          }
        });
  }

  private static List<String> missingIndexes(
      MongoClient client, MongoOptions options, Layout layout) {
    AdoptedSchema schema = new AdoptedSchema(client, AdoptedSchema.beside(options, layout), layout);
    schema.check();
    return schema.missingIndexes();
  }
}
