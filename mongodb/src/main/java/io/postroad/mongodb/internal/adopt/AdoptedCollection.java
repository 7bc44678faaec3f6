package io.postroad.mongodb.internal.adopt;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.message.Message;
import io.postroad.mongodb.MongoOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.queue.QueueForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.bson.BsonBinarySubType;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Checks that a layout fits a team's collection, by a sample of its documents. */
public final class AdoptedCollection {
  private static final int SAMPLE = 1_000;
  private static final int VALIDATION_FAILED = 121;

  /** Fields that a document need not have in every state of a message. */
  private static final Set<Field> SOMETIMES =
      Set.of(
          Field.DUE_AT,
          Field.ATTEMPTS,
          Field.LEASE_OWNER,
          Field.LEASE_UNTIL,
          Field.LEASE_TOKEN,
          Field.LAST_ERROR,
          Field.SETTLED_AT,
          Field.ASIDE_AT,
          Field.NOT_BEFORE,
          Field.TENANT,
          Field.HEADERS,
          Field.DEDUPLICATION_KEY);

  private static final Set<Field> TIMES =
      Set.of(
          Field.DUE_AT,
          Field.CREATED_AT,
          Field.LEASE_UNTIL,
          Field.SETTLED_AT,
          Field.NOT_BEFORE,
          Field.ASIDE_AT);

  private final Database database;
  private final Layout layout;
  private final MongoCollection<BsonDocument> collection;

  public AdoptedCollection(Database database, Layout layout) {
    this.database = database;
    this.layout = layout;
    this.collection = database.own().getCollection(layout.table(), BsonDocument.class);
  }

  /** Returns documents from both ends of the collection. */
  public List<BsonDocument> sample() {
    List<BsonDocument> sample = new ArrayList<>();
    for (int direction : new int[] {1, -1}) {
      collection
          .find()
          .sort(new BsonDocument("$natural", new BsonInt32(direction)))
          .limit(SAMPLE)
          .projection(fields())
          .into(sample);
    }
    return sample;
  }

  /** Returns the fields of the layout without the payload, which may be large. */
  private BsonDocument fields() {
    BsonDocument fields = new BsonDocument();
    layout
        .columns()
        .forEach(
            (field, name) ->
                fields.append(
                    name,
                    field == Field.PAYLOAD
                        ? new BsonDocument("$type", Bson.field(name))
                        : new BsonInt32(1)));
    return fields;
  }

  public void check(List<BsonDocument> sample) {
    if (!sample.isEmpty()) {
      layout.columns().forEach((field, name) -> checkPresent(field, name, sample));
      sample.forEach(this::checkId);
      sample.forEach(this::checkStatus);
      sample.forEach(this::checkTypes);
    }
  }

  private void checkPresent(Field field, String name, List<BsonDocument> sample) {
    BsonString missing = new BsonString("missing");
    boolean there =
        sample.stream()
            .anyMatch(
                document -> document.containsKey(name) && !missing.equals(document.get(name)));
    if (!there && !SOMETIMES.contains(field) && layout.fallback(field).isEmpty()) {
      throw refused(
          "no document of it has the field '%s', which the layout has for the %s"
              .formatted(name, field),
          "name the right field with .with(Field.%s, ...)".formatted(field));
    }
  }

  private void checkId(BsonDocument document) {
    BsonValue id = document.get(MessageDocument.ID, BsonNull.VALUE);
    if (id.isBinary() && id.asBinary().getType() == BsonBinarySubType.UUID_LEGACY.getValue()) {
      throw refused(
          "its field '_id' has UUIDs of the legacy kind (binary subtype 3), whose bytes every driver"
              + " orders differently",
          "rewrite them as standard UUIDs (subtype 4) and set uuidRepresentation=standard in the"
              + " application");
    }
  }

  private void checkStatus(BsonDocument document) {
    BsonValue status = document.get(layout.columnOrAdded(Field.STATUS), BsonNull.VALUE);
    if (!status.isString() || !layout.statuses().all().contains(status.asString().getValue())) {
      throw refused(
          "its field '%s' has the status %s, which the layout does not know; it knows %s"
              .formatted(
                  layout.columnOrAdded(Field.STATUS),
                  status.isString() ? "'" + status.asString().getValue() + "'" : status,
                  layout.statuses().all()),
          "give the layout the collection's words with .withStatuses(...), or correct these"
              + " documents");
    }
  }

  /** Checks that times and counters have a type that MongoDB can compare. */
  private void checkTypes(BsonDocument document) {
    TIMES.forEach(field -> checkType(document, field, BsonValue::isDateTime, "a date"));
    checkType(document, Field.ATTEMPTS, BsonValue::isNumber, "a number");
  }

  private void checkType(
      BsonDocument document, Field field, Predicate<BsonValue> fits, String wanted) {
    layout
        .column(field)
        .ifPresent(
            name -> {
              BsonValue value = document.get(name, BsonNull.VALUE);
              if (!value.isNull() && !fits.test(value)) {
                throw refused(
                    "its field '%s', which the layout has for the %s, is a %s in some documents"
                        .formatted(name, field, value.getBsonType()),
                    "it must be %s; rewrite it, or leave the field out of the layout"
                        .formatted(wanted));
              }
            });
  }

  /** Returns the index that deletes documents by their age. */
  public Optional<String> expiry() {
    return indexes().stream()
        .filter(index -> index.containsKey("expireAfterSeconds"))
        .map(index -> index.getString("name").getValue())
        .findFirst();
  }

  public List<BsonDocument> indexes() {
    return collection.listIndexes(BsonDocument.class).into(new ArrayList<>());
  }

  /** Checks that a validator accepts our documents, in a transaction that is rolled back. */
  public void checkValidator(QueueForm form) {
    if (!hasValidator()
        || database.options().transactionMode() == MongoOptions.TransactionMode.NONE) {
      return;
    }
    try (ClientSession session = database.client().startSession()) {
      session.startTransaction();
      form.callersCollection(database).insertOne(session, probe(form));
      session.abortTransaction();
    } catch (MongoException failed) {
      if (failed.getCode() != VALIDATION_FAILED) {
        throw failed;
      }
      throw refused(
          "its validator does not let in what Postroad writes",
          "allow the fields of the layout and those that begin with 'postroad_' (see"
              + " docs/reference/mongodb-layouts.md)");
    }
  }

  /** Returns a document with all fields that a message may have. */
  private static BsonDocument probe(QueueForm form) {
    BsonDateTime now = new BsonDateTime(System.currentTimeMillis());
    Message message =
        Message.event("postroad.probe")
            .to("postroad.probe")
            .aggregate("postroad", "probe")
            .json("{}")
            .build();
    BsonDocument probe = form.fresh(message, now);
    probe.append(form.names().lease().owner(), new BsonString("probe"));
    probe.append(form.names().lease().until(), now);
    probe.append(form.names().lastError(), new BsonString("probe"));
    return probe;
  }

  private boolean hasValidator() {
    @Nullable Document found =
        database.own().listCollections().filter(new Document("name", layout.table())).first();
    return found != null
        && found.get("options", new Document()).get("validator", new Document()).size() > 0;
  }

  private LayoutException refused(String why, String remedy) {
    return new LayoutException(
        layout,
        List.of(
            "collection '%s' of database '%s': %s; %s"
                .formatted(layout.table(), database.options().database(), why, remedy)));
  }
}
