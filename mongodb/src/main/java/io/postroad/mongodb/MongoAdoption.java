package io.postroad.mongodb;

import com.mongodb.client.MongoClient;
import io.postroad.layout.Adoption;
import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.layout.Recogniser;
import io.postroad.layout.Recognition;
import io.postroad.layout.RowCounter;
import io.postroad.layout.TableShape;
import io.postroad.mongodb.internal.adopt.CollectionShape;
import io.postroad.mongodb.internal.client.Database;
import java.util.List;
import java.util.Optional;

/**
 * Looks at a collection that a team already has and says how Postroad would run on it. Only reads:
 * a sample of the documents from both ends, the indexes, and all documents once to count them by
 * status.
 */
public final class MongoAdoption {
  private MongoAdoption() {}

  /**
   * Looks at a collection.
   *
   * @throws io.postroad.message.PostroadException when the database cannot be read
   */
  public static Adoption look(MongoClient client, String database, String collection) {
    return look(client, database, collection, Recogniser.ofCollections());
  }

  /** Looks at a collection with a recogniser that was told what is meant. */
  public static Adoption look(
      MongoClient client, String database, String collection, Recogniser recogniser) {
    return look(client, database, collection, recogniser::recognise);
  }

  /** Looks at the collection of a layout that was written or changed by hand. */
  public static Adoption look(MongoClient client, String database, Layout layout) {
    return look(
        client, database, layout.table(), (shape, rows) -> Recogniser.check(layout, shape, rows));
  }

  /** Who says what a collection is. */
  @FunctionalInterface
  private interface Opinion {
    Recognition of(TableShape shape, RowCounter rows);
  }

  private static Adoption look(
      MongoClient client, String database, String collection, Opinion opinion) {
    MongoOptions options = MongoOptions.defaults().withDatabase(database);
    return Database.call(
        "look at collection " + collection,
        () -> {
          CollectionShape looked = new CollectionShape(new Database(client, options), collection);
          TableShape shape = looked.shape();
          Recognition recognition = opinion.of(shape, looked);
          Optional<Layout> layout = recognition.found();
          if (layout.isEmpty()) {
            return Adoption.of(shape, recognition, List.of(), List.of());
          }
          return adoption(client, options, shape, recognition, layout.get());
        });
  }

  private static Adoption adoption(
      MongoClient client,
      MongoOptions options,
      TableShape shape,
      Recognition recognition,
      Layout layout) {
    try {
      MongoOptions beside = AdoptedSchema.beside(options, layout);
      AdoptedSchema schema = new AdoptedSchema(client, beside, layout);
      schema.check();
      return Adoption.of(shape, recognition, List.of(), schema.missingIndexes());
    } catch (LayoutException refused) {
      return Adoption.of(shape, recognition, List.of(), List.of()).withProblems(refused.problems());
    } catch (IllegalArgumentException refused) {
      return Adoption.of(shape, recognition, List.of(), List.of())
          .withProblems(List.of(String.valueOf(refused.getMessage())));
    }
  }
}
