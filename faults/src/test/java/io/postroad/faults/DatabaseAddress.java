package io.postroad.faults;

/** Where the database of a scene is, as a text for command lines; opens outboxes there. */
sealed interface DatabaseAddress permits PostgresAddress, AdoptedAddress, MongoAddress {

  static DatabaseAddress parse(String text) {
    if (AdoptedAddress.isOne(text)) {
      return AdoptedAddress.parse(text);
    }
    return text.startsWith("jdbc:") ? new PostgresAddress(text) : MongoAddress.parse(text);
  }

  /** Returns the text that {@link #parse} takes. */
  String text();

  /**
   * Opens an outbox whose schema is there.
   *
   * @param application how the server knows its connections
   * @param points reached by what the driver does, if there are any
   */
  OpenOutbox<?> open(StoreKind kind, String application, StopPoints points);
}
