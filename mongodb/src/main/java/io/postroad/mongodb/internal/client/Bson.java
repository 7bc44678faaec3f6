package io.postroad.mongodb.internal.client;

import io.postroad.mongodb.internal.append.MessageDocument;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Short ways to write what queries and updates are made of. */
public final class Bson {
  /** The size of a document, as the server computes it. */
  public static final BsonDocument SIZE = new BsonDocument("$bsonSize", new BsonString("$$ROOT"));

  private Bson() {}

  /** The size of a document in bytes. */
  public static long size(BsonDocument document) {
    return new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer().remaining();
  }

  /** {@code {operator: [operands]}}. */
  public static BsonDocument of(String operator, BsonValue... operands) {
    return new BsonDocument(operator, new BsonArray(List.of(operands)));
  }

  /** The value of a field, in an expression. */
  public static BsonString field(String name) {
    return new BsonString("$" + name);
  }

  /** A text that is no expression, whatever it begins with. */
  public static BsonDocument literal(String text) {
    return new BsonDocument("$literal", new BsonString(text));
  }

  public static BsonDocument set(BsonDocument fields) {
    return new BsonDocument("$set", fields);
  }

  public static BsonDocument unset(String... fields) {
    return new BsonDocument(
        "$unset", new BsonArray(List.of(fields).stream().map(BsonString::new).toList()));
  }

  public static BsonDocument in(Collection<? extends BsonValue> values) {
    return new BsonDocument("$in", new BsonArray(List.copyOf(values)));
  }

  /** These documents, by the ids they have. */
  public static BsonDocument same(Collection<BsonDocument> documents) {
    return new BsonDocument(
        MessageDocument.ID,
        in(documents.stream().map(document -> document.get(MessageDocument.ID)).toList()));
  }

  /** The documents with these ids. */
  public static BsonDocument ids(Collection<UUID> ids) {
    return new BsonDocument(MessageDocument.ID, in(ids.stream().map(MessageDocument::id).toList()));
  }
}
