package io.postroad.mongodb.internal.adopt;

import com.mongodb.client.MongoClient;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.MongoSchema;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.DocumentIds;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.queue.QueueForm;
import io.postroad.schema.SchemaException;
import io.postroad.schema.StoreSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.json.JsonWriterSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schema of an outbox in a collection of a team: indexes on that collection, and Postroad's own
 * collections beside it. Changes no document and no index of the team.
 */
public final class AdoptedSchema implements StoreSchema {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedSchema.class);
  private static final String PREFIX = "postroad_";
  private static final JsonWriterSettings READABLE =
      JsonWriterSettings.builder().indent(true).build();

  private final Database database;
  private final Layout layout;
  private final MongoSchema own;
  private final AdoptedCollection collection;

  public AdoptedSchema(MongoClient client, MongoOptions options, Layout layout) {
    this.database = new Database(client, options);
    this.layout = layout;
    this.own = new MongoSchema(client, options.withStreams(false));
    this.collection = new AdoptedCollection(database, layout);
  }

  /** Returns the options under which our collections are beside the team's. */
  public static MongoOptions beside(MongoOptions options, Layout layout) {
    Layout checked = layout.checked();
    if (checked.column(Field.STATUS).isEmpty()) {
      throw new IllegalArgumentException(
          "%s does not say in which field the status is; add .with(Field.STATUS, ...), because an"
                  .formatted(layout)
              + " outbox in MongoDB goes by it");
    }
    if (!checked.column(Field.ID).equals(Optional.of(MessageDocument.ID))) {
      throw new IllegalArgumentException(
          "%s has the id in '%s'; in MongoDB it is '_id'"
              .formatted(layout, checked.columnOrAdded(Field.ID)));
    }
    if (checked.ordered()) {
      throw new IllegalArgumentException(
          "%s wants order, which a collection that was adopted does not keep; leave out"
                  .formatted(layout)
              + " withOrdered, or append to a MongoOrderedStore");
    }
    if (options.deadLetters() == MongoOptions.DeadLetters.MOVE) {
      throw new IllegalArgumentException(
          "MongoOptions.deadLetters must be KEEP for %s: dead letters stay in the collection, where"
                  .formatted(layout)
              + " its owners look for them");
    }
    if (options.streams()
        && (checked.column(Field.DESTINATION).isEmpty()
            || checked.fallback(Field.DESTINATION).isPresent())) {
      throw new IllegalArgumentException(
          "MongoOptions.streams needs the destination in a field of the collection, but %s makes it of"
                  .formatted(layout)
              + " others; add .with(Field.DESTINATION, ...), or leave streams off");
    }
    MongoOptions beside = options.prefix().isEmpty() ? options.withPrefix(PREFIX) : options;
    if (layout.table().startsWith(beside.prefix() + Names.OUTBOX)) {
      throw new IllegalArgumentException(
          "collection '%s' and prefix '%s' meet: Postroad's own collections begin with '%s%s'; choose"
                  .formatted(layout.table(), beside.prefix(), beside.prefix(), Names.OUTBOX)
              + " another MongoOptions.prefix");
    }
    return beside;
  }

  /**
   * Returns the queue in the collection as it is.
   *
   * @throws SchemaException when the collection does not fit the layout
   */
  public QueueForm examined() {
    return Database.call(
        "read collection " + layout.table(),
        () -> {
          List<BsonDocument> sample = collection.sample();
          collection.check(sample);
          Optional<String> expiry = collection.expiry();
          expiry.ifPresent(
              index ->
                  LOG.info(
                      "mongodb: collection {} has its own expiry (index {}), so nothing of it is"
                          + " purged by Postroad",
                      layout.table(),
                      index));
          AdoptedQueue queue =
              new AdoptedQueue(layout, DocumentIds.Kind.of(sample), expiry.isPresent());
          collection.checkValidator(queue);
          return queue;
        });
  }

  /**
   * Checks a sample of the documents. Only reads.
   *
   * @throws io.postroad.layout.LayoutException when the collection does not fit the layout
   */
  public void check() {
    collection.check(collection.sample());
  }

  /** Returns the commands for mongosh that make the missing indexes. */
  public List<String> missingIndexes() {
    List<BsonDocument> missing = missing();
    return missing.isEmpty()
        ? List.of()
        : List.of("db.runCommand(%s);".formatted(command(missing).toJson(READABLE)));
  }

  @Override
  public int requiredVersion() {
    return own.requiredVersion();
  }

  @Override
  public int installedVersion() {
    return own.installedVersion();
  }

  @Override
  public void migrate() {
    own.migrate();
    Database.call(
        "add indexes to " + layout.table(),
        () -> {
          List<BsonDocument> missing = missing();
          if (!missing.isEmpty()) {
            // No time limit: a large collection takes long.
            database.callers().runCommand(command(missing), BsonDocument.class);
            LOG.info(
                "mongodb: indexes added: collection={} indexes={}", layout.table(), names(missing));
          }
          return true;
        });
    verify();
  }

  @Override
  public void verify() {
    List<BsonDocument> missing =
        Database.call("read the indexes of " + layout.table(), this::missing);
    try {
      own.verify();
    } catch (SchemaException refused) {
      throw missing.isEmpty() ? refused : refused(String.valueOf(refused.getMessage()), missing);
    }
    if (!missing.isEmpty()) {
      throw refused("only its indexes are missing", missing);
    }
  }

  private SchemaException refused(String why, List<BsonDocument> missing) {
    return new SchemaException(
        "collection '%s' of database '%s' lacks the indexes %s that %s needs (%s). Open the store once with SchemaMode.MIGRATE, or run this with mongosh:%n%s"
            .formatted(
                layout.table(),
                database.options().database(),
                names(missing),
                layout,
                why,
                script()),
        requiredVersion(),
        installedVersion());
  }

  @Override
  public String script() {
    return own.script()
        + """

        // Indexes that are added to the collection of %s; no document is changed.
        db.runCommand(%s);
        """
            .formatted(layout, command(indexes()).toJson(READABLE));
  }

  private BsonDocument command(List<BsonDocument> indexes) {
    return new BsonDocument("createIndexes", new BsonString(layout.table()))
        .append("indexes", new BsonArray(indexes));
  }

  private List<BsonDocument> indexes() {
    return AdoptedIndexes.of(layout, collection.expiry().isPresent(), database.options().streams());
  }

  /** Returns our missing indexes; refuses another index with one of our names. */
  private List<BsonDocument> missing() {
    List<BsonDocument> present = collection.indexes();
    List<BsonDocument> missing = new ArrayList<>();
    for (BsonDocument wanted : indexes()) {
      Optional<BsonDocument> same =
          present.stream()
              .filter(each -> each.getString("name").equals(wanted.getString("name")))
              .findFirst();
      if (same.isEmpty()) {
        missing.add(wanted);
      } else if (!matches(same.get(), wanted)) {
        throw new SchemaException(
            "index %s of collection '%s' is not the one that %s needs; drop it and open with SchemaMode.MIGRATE. Needed: %s"
                .formatted(
                    wanted.getString("name").getValue(), layout.table(), layout, wanted.toJson()),
            requiredVersion(),
            installedVersion());
      }
    }
    return missing;
  }

  private static boolean matches(BsonDocument present, BsonDocument wanted) {
    return present.getDocument("key").keySet().equals(wanted.getDocument("key").keySet())
        && present
            .get("partialFilterExpression", BsonNull.VALUE)
            .equals(wanted.get("partialFilterExpression"));
  }

  private static List<String> names(List<BsonDocument> indexes) {
    return indexes.stream().map(index -> index.getString("name").getValue()).toList();
  }
}
