package io.postroad.example.wiki.run;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.Document;

/** Reads the database directly, without the application. Used by one thread. */
final class Stored implements AutoCloseable {
  private static final List<String> OPEN = List.of("new", "processing", "failed");

  private final MongoClient client;
  private final String database;

  Stored(String uri, String database) {
    this.client = MongoClients.create(uri);
    this.database = database;
  }

  private MongoCollection<Document> collection(String name) {
    return client.getDatabase(database).getCollection(name);
  }

  long count(String name) {
    return collection(name).countDocuments();
  }

  /** Returns the number of open events. */
  long open() {
    return collection("outbox").countDocuments(Filters.in("status", OPEN));
  }

  long dead() {
    return collection("outbox").countDocuments(Filters.eq("status", "dead"));
  }

  /** Returns the number of handled events that still have a lease, which must be 0. */
  long doneButLeased() {
    return collection("outbox")
        .countDocuments(
            Filters.and(
                Filters.eq("status", "done"),
                Filters.or(Filters.ne("lease_owner", null), Filters.ne("lease_until", null))));
  }

  /** Returns all ids of a collection as text. */
  Set<String> ids(String name) {
    Set<String> ids = new HashSet<>();
    collection(name).find().forEach(found -> ids.add(String.valueOf(found.get("_id"))));
    return ids;
  }

  /** Inserts the first revision of a page without events. */
  void insertRevision(String page) {
    collection("page_revisions")
        .insertOne(
            new Document("_id", page + ":1")
                .append("page_id", page)
                .append("revision_id", 1L)
                .append("title", page)
                .append("text", "about " + page)
                .append("author", "ada")
                .append("created_at", Instant.now()));
  }

  /** Returns the events of a stream, by page and revision. */
  Set<String> events(String stream) {
    Set<String> events = new HashSet<>();
    collection("outbox")
        .find(
            Filters.and(
                Filters.eq("stream", stream), Filters.eq("event_type", "PageRevisionCreated")))
        .forEach(
            event -> {
              Document payload = payload(event);
              events.add(payload.get("page_id") + ":" + payload.get("revision_id"));
            });
    return events;
  }

  /** Reads a payload that is embedded or in base64, as OUTBOX_PAYLOAD selects. */
  private static Document payload(Document event) {
    return event.get("payload") instanceof String encoded
        ? Document.parse(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8))
        : event.get("payload", Document.class);
  }

  long countEvents(String stream) {
    return collection("outbox")
        .countDocuments(
            Filters.and(
                Filters.eq("stream", stream), Filters.eq("event_type", "PageRevisionCreated")));
  }

  @Override
  public void close() {
    client.close();
  }
}
