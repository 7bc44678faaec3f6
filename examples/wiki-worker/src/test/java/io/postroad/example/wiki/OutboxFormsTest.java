package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.outbox.OutboxSignal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** {@code _id} as ObjectId and as text, payload as an object and as base64. */
class OutboxFormsTest {

  @Test
  void idsAreObjectIdsAndPayloadsAreObjectsByDefault() throws Exception {
    RunningWiki wiki = RunningWiki.shared();
    wiki.write("usual", 0, "Usual", "text");

    Document event = wiki.event("wiki:usual:1");
    assertThat(event.get("_id")).isInstanceOf(ObjectId.class);
    assertThat(event.get("payload")).isInstanceOf(Document.class);
  }

  @Test
  void idsAreTextsAndPayloadsBase64IfConfigured() throws Exception {
    try (RunningWiki wiki =
        RunningWiki.start(Map.of("OUTBOX_ID", "string", "OUTBOX_PAYLOAD", "base64"))) {
      wiki.write("other", 0, "Other", "text");

      Document event = wiki.event("wiki:other:1");
      assertThat(event)
          .containsEntry("_id", RunningWiki.id("wiki:other:1").toString())
          .containsEntry("status", "done")
          .containsEntry("lease_owner", null)
          .containsEntry("lease_until", null);
      assertThat(
              new String(
                  Base64.getDecoder().decode(event.getString("payload")), StandardCharsets.UTF_8))
          .isEqualTo("{\"page_id\":\"other\",\"revision_id\":1}");
      assertThat(wiki.get("/api/pages/other/revisions/1").body()).contains("<p>text</p>");
    }
  }

  /** All forms in one collection, written by other programs, also without a retry time. */
  @Test
  void documentsOfEveryFormAreHandled() throws Exception {
    RunningWiki wiki = RunningWiki.shared();
    wiki.write("forms", 0, "Forms", "text");
    String base64 =
        Base64.getEncoder()
            .encodeToString(
                "{\"page_id\":\"forms\",\"revision_id\":1}".getBytes(StandardCharsets.UTF_8));
    ObjectId objectId = new ObjectId();
    String uuid = UUID.randomUUID().toString();
    wiki.collection("outbox")
        .insertOne(Events10.document(objectId, "wiki", "forms", 1).append("next_retry_at", null));
    wiki.collection("outbox")
        .insertOne(Events10.document(uuid, "wiki", "forms", 1).append("payload", base64));
    Document without = Events10.document("no-retry-time", "search", "forms", 1);
    without.remove("next_retry_at");
    wiki.collection("outbox").insertOne(without);
    Events10.awaitDone(wiki, "no-retry-time");
    var unused =
        wiki.signals()
            .await(
                OutboxSignal.Delivered.class,
                1,
                signal -> signal.message().id().equals(UUID.fromString(uuid)));
    var unusedToo =
        wiki.signals()
            .await(
                OutboxSignal.Delivered.class,
                1,
                signal ->
                    signal.message().destination().equals("wiki")
                        && signal.message().id().version() == 8);

    for (Object id : new Object[] {objectId, uuid, "no-retry-time"}) {
      assertThat(wiki.collection("outbox").find(new Document("_id", id)).first())
          .containsEntry("status", "done")
          .containsEntry("lease_owner", null)
          .containsEntry("lease_until", null);
    }
    assertThat(wiki.get("/api/pages/forms/revisions/1").body()).contains("<p>text</p>");
  }
}
