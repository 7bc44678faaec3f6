package io.postroad.adopt.internal;

import com.mongodb.client.MongoCollection;
import io.postroad.adopt.ColumnKind;
import io.postroad.adopt.ColumnShape;
import io.postroad.adopt.RowCounter;
import io.postroad.adopt.TableShape;
import io.postroad.adopt.WordRows;
import io.postroad.mongodb.internal.client.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Reads the shape of a collection from a sample of its documents, and counts documents. */
public final class CollectionShape implements RowCounter {
  private static final int SAMPLE = 200;
  private static final String OURS = "postroad_";
  private static final String COUNT = "n";

  private final MongoCollection<BsonDocument> collection;
  private final String name;

  public CollectionShape(Database database, String name) {
    this.collection = database.own().getCollection(name, BsonDocument.class);
    this.name = name;
  }

  public TableShape shape() {
    Map<String, ColumnKind> kinds = new LinkedHashMap<>();
    for (int direction : new int[] {1, -1}) {
      collection
          .find()
          .sort(new BsonDocument("$natural", new BsonInt32(direction)))
          .limit(SAMPLE)
          .forEach(document -> add(document, kinds));
    }
    List<ColumnShape> fields = new ArrayList<>();
    kinds.forEach((field, kind) -> fields.add(ColumnShape.of(field, kind)));
    TableShape shape = TableShape.ofCollection(name, fields);
    return expiry().map(shape::withExpiry).orElse(shape);
  }

  private static void add(BsonDocument document, Map<String, ColumnKind> kinds) {
    document.forEach(
        (field, value) -> {
          if (!field.startsWith(OURS)) {
            kinds.merge(field, kind(value), CollectionShape::both);
          }
        });
  }

  private static ColumnKind both(ColumnKind one, ColumnKind other) {
    if (one == other || other == ColumnKind.UNKNOWN) {
      return one;
    }
    return one == ColumnKind.UNKNOWN ? other : ColumnKind.OTHER;
  }

  private static ColumnKind kind(BsonValue value) {
    return switch (value.getBsonType()) {
      case STRING -> ColumnKind.TEXT;
      case OBJECT_ID -> ColumnKind.OBJECT_ID;
      case INT32, INT64 -> ColumnKind.NUMBER;
      case BOOLEAN -> ColumnKind.BOOLEAN;
      case DATE_TIME -> ColumnKind.TIME_WITH_ZONE;
      case DOCUMENT -> ColumnKind.JSON;
      case BINARY ->
          BsonBinarySubType.isUuid(value.asBinary().getType()) ? ColumnKind.UUID : ColumnKind.BYTES;
      case NULL -> ColumnKind.UNKNOWN;
      default -> ColumnKind.OTHER;
    };
  }

  private Optional<String> expiry() {
    return collection.listIndexes(BsonDocument.class).into(new ArrayList<>()).stream()
        .filter(index -> index.containsKey("expireAfterSeconds"))
        .map(index -> index.getString("name").getValue())
        .findFirst();
  }

  @Override
  public List<WordRows> byWord(String field) {
    List<WordRows> words = new ArrayList<>();
    collection
        .aggregate(
            List.of(
                new BsonDocument(
                    "$group",
                    new BsonDocument("_id", new BsonString("$" + field))
                        .append(COUNT, new BsonDocument("$sum", new BsonInt32(1)))),
                new BsonDocument("$limit", new BsonInt32(MAX_WORDS + 1))))
        .forEach(group -> words.add(words(group)));
    return words;
  }

  private static WordRows words(BsonDocument group) {
    BsonValue word = group.get("_id");
    long rows = group.getNumber(COUNT).longValue();
    if (word == null || word.isNull()) {
      return WordRows.without(rows);
    }
    return WordRows.of(word.isString() ? word.asString().getValue() : word.toString(), rows);
  }

  @Override
  public long all() {
    return collection.countDocuments();
  }
}
