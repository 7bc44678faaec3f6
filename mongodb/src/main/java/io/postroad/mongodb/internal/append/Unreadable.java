package io.postroad.mongodb.internal.append;

import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.log.LogDocument;
import org.bson.BsonDocument;

/**
 * A document that was edited into an invalid message.
 *
 * @param sequence its place in the lane
 */
public record Unreadable(long sequence, BsonDocument document, String error) {

  public static Unreadable of(long sequence, BsonDocument document) {
    try {
      LogDocument.read(document);
      return new Unreadable(sequence, document, "a field of the document has an unexpected type");
    } catch (IllegalArgumentException wrong) {
      return new Unreadable(sequence, document, error(wrong));
    }
  }

  public long bytes() {
    return Bson.size(document);
  }

  static String error(IllegalArgumentException wrong) {
    String why = String.valueOf(wrong.getMessage());
    return "the document cannot be read as a message: "
        + why.substring(0, Math.min(512, why.length()));
  }
}
