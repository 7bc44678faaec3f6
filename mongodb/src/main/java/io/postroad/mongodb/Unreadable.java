package io.postroad.mongodb;

import org.bson.BsonDocument;

/**
 * A document that someone has edited into something that is no message.
 *
 * @param ticket its place in the lane
 */
record Unreadable(long ticket, BsonDocument document, IllegalArgumentException wrong) {

  String error() {
    return error(wrong);
  }

  static String error(IllegalArgumentException wrong) {
    String why = String.valueOf(wrong.getMessage());
    return "the document cannot be read as a message: "
        + why.substring(0, Math.min(512, why.length()));
  }
}
