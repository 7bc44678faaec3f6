package io.postroad.example.wiki;

import io.postroad.outbox.OutboxSignal;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;

/** Creates documents as in section 10.1, as another program would. */
final class Events10 {
  private Events10() {}

  static Document document(Object id, String stream, String page, long revision) {
    return new Document("_id", id)
        .append("stream", stream)
        .append("event_type", "PageRevisionCreated")
        .append("aggregate_id", page)
        .append("payload", new Document("page_id", page).append("revision_id", revision))
        .append("created_at", Instant.now())
        .append("status", "new")
        .append("lease_owner", null)
        .append("lease_until", null)
        .append("attempts", 0)
        .append("last_error", null)
        .append("next_retry_at", Instant.now());
  }

  /** Returns Postroad's id for a document with this text id. */
  static UUID id(String id) {
    return RunningWiki.id(new BsonDocument("_id", new BsonString(id)).toJson());
  }

  /** Waits until the document with this text id was handled. */
  static void awaitDone(RunningWiki wiki, String id) throws InterruptedException {
    var unused =
        wiki.signals()
            .await(OutboxSignal.Delivered.class, 1, signal -> signal.message().id().equals(id(id)));
  }
}
