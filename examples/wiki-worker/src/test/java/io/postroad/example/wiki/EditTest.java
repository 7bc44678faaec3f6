package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.outbox.OutboxSignal;
import io.postroad.servers.MongoServer;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** An edit becomes a revision, two events, a snapshot and an index entry. */
class EditTest {
  private final RunningWiki wiki = RunningWiki.shared();

  @Test
  void anEditIsRenderedAndFound() throws Exception {
    wiki.write("first", 0, "The First", "A '''bold''' aardvark");

    HttpResponse<String> page = wiki.get("/api/pages/first");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body())
        .contains("\"revision_id\":1", "\"rendered_revision\":1", "\"indexed\":true");
    assertThat(wiki.get("/api/pages/first/revisions/1").body())
        .contains("<strong>bold</strong> aardvark");
    assertThat(wiki.get("/api/search?q=aardvark").body()).contains("\"page_id\":\"first\"");
    assertThat(wiki.collection("page_snapshots").find(new Document("_id", "first:1")).first())
        .containsEntry("page_id", "first")
        .containsEntry("revision_id", 1L);
  }

  /** Sections 10.1 and 10.3. */
  @Test
  void anEventHasTheFieldsOfTheSpecificationAndIsDone() throws Exception {
    wiki.write("fields", 0, "Fields", "of an event");

    Document event = wiki.event("wiki:fields:1");
    assertThat(event)
        .containsEntry("stream", "wiki")
        .containsEntry("event_type", "PageRevisionCreated")
        .containsEntry("aggregate_id", "fields")
        .containsEntry("status", "done")
        .containsEntry("lease_owner", null)
        .containsEntry("lease_until", null)
        .containsKeys("created_at", "attempts", "last_error", "next_retry_at");
    assertThat(event.get("attempts", Number.class).intValue()).isEqualTo(1);
    assertThat(event.get("payload", Document.class))
        .containsEntry("page_id", "fields")
        .containsKey("revision_id");
    assertThat(wiki.event("search:fields:1")).containsEntry("stream", "search");
  }

  @Test
  void theCollectionHasTheIndexesOfTheSpecification() {
    List<Document> keys = new ArrayList<>();
    wiki.collection("outbox")
        .listIndexes()
        .forEach(index -> keys.add(index.get("key", Document.class)));
    assertThat(keys)
        .contains(
            new Document("status", 1).append("next_retry_at", 1).append("created_at", 1),
            new Document("lease_until", 1),
            new Document("stream", 1).append("status", 1).append("next_retry_at", 1));
  }

  @Test
  void everyRevisionHasItsSnapshotAndTheNewestIsFound() throws Exception {
    wiki.write("grows", 0, "Grows", "zebra");
    wiki.write("grows", 1, "Grows", "quagga");

    assertThat(wiki.get("/api/pages/grows/revisions/1").body()).contains("zebra");
    assertThat(wiki.get("/api/pages/grows/revisions/2").body()).contains("quagga");
    assertThat(wiki.get("/api/search?q=quagga").body()).contains("\"revision_id\":2");
    assertThat(wiki.get("/api/search?q=zebra").body()).contains("\"hits\":[]");
  }

  /**
   * Events arrive repeatedly and late: the event of revision 1 is handled after that of revision 2.
   */
  @Test
  void anOlderRevisionNeverOverwritesANewerOne() throws Exception {
    wiki.write("late", 0, "Late", "okapi");
    wiki.write("late", 1, "Late", "gnu");
    wiki.collection("outbox").insertOne(Events10.document("again-1", "search", "late", 1));
    Events10.awaitDone(wiki, "again-1");

    assertThat(wiki.collection("search_index").find(new Document("_id", "late")).first())
        .containsEntry("revision_id", 2L)
        .containsEntry("text", "gnu");
    assertThat(wiki.get("/api/search?q=okapi").body()).contains("\"hits\":[]");
  }

  @Test
  void aRepeatedEventLeavesOneSnapshot() throws Exception {
    wiki.write("twice", 0, "Twice", "the same");
    wiki.collection("outbox").insertOne(Events10.document("again-2", "wiki", "twice", 1));
    Events10.awaitDone(wiki, "again-2");

    assertThat(wiki.collection("page_snapshots").countDocuments(new Document("page_id", "twice")))
        .isEqualTo(1);
  }

  /** Each event is claimed by one node only. */
  @Test
  void twoNodesShareTheWork() throws Exception {
    int pages = 0;
    Set<UUID> events = new HashSet<>();
    try (RunningWiki other = wiki.another()) {
      while (pages < 20 || (pages < 1_000 && !(handles(wiki, events) && handles(other, events)))) {
        RunningWiki node = pages % 2 == 0 ? wiki : other;
        assertThat(node.save("shared-" + pages, 0, "Shared", "text").statusCode()).isEqualTo(201);
        events.add(RunningWiki.id("wiki:shared-%d:1".formatted(pages)));
        pages++;
      }
      assertThat(handles(wiki, events)).isTrue();
      assertThat(handles(other, events)).isTrue();
      Document ofThese = new Document("aggregate_id", new Document("$regex", "^shared-"));
      Document done = new Document(ofThese).append("status", "done").append("attempts", 1);
      wiki.awaitCount("outbox", done, 2L * pages);
      assertThat(wiki.collection("outbox").countDocuments(ofThese)).isEqualTo(2L * pages);
    }
  }

  private static boolean handles(RunningWiki node, Set<UUID> events) {
    return node.signals()
        .told(OutboxSignal.Delivered.class, signal -> events.contains(signal.message().id()));
  }

  /** The caller gets no instance that it could close. */
  @Test
  void aWikiThatCannotListenLeavesNothingRunning() throws Exception {
    Signals signals = new Signals();
    WikiOptions options =
        WikiOptions.of(
            Map.of(
                "APP_PORT",
                Integer.toString(wiki.application().port()),
                "MONGODB_URI",
                MongoServer.shared().connectionString(),
                "MONGODB_DATABASE",
                MongoServer.shared().freshDatabase("wiki")));

    assertThatThrownBy(() -> WikiApplication.start(options, signals))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot listen on port");

    assertThat(signals.told(OutboxSignal.Started.class, signal -> true)).isTrue();
    assertThat(signals.told(OutboxSignal.Stopped.class, signal -> true)).isTrue();
  }

  @Test
  void textThatLooksLikeADatabaseExpressionStaysText() throws Exception {
    wiki.write("dollars", 0, "$title", "$$ROOT");

    assertThat(wiki.collection("search_index").find(new Document("_id", "dollars")).first())
        .containsEntry("title", "$title")
        .containsEntry("text", "$$ROOT");
  }

  @Test
  void aPictureGetsThumbnails() throws Exception {
    wiki.write("gallery", 0, "Gallery", "pictures");
    HttpResponse<String> uploaded =
        wiki.post(
            "/api/media",
            """
            {"media_id": "sunset", "page_id": "gallery", "file_name": "sunset.jpg",
             "content_type": "image/jpeg", "width": 4000, "height": 3000}
            """);
    assertThat(uploaded.statusCode()).isEqualTo(201);
    wiki.awaitDone("media:sunset");

    assertThat(wiki.get("/api/media/sunset").body())
        .contains(
            "\"thumbnails\":[{\"box\":64,\"width\":64,\"height\":48},"
                + "{\"box\":256,\"width\":256,\"height\":192}]");
    assertThat(wiki.collection("media_thumbnails").find(new Document("_id", "sunset:64")).first())
        .isNotNull();
    assertThat(wiki.event("media:sunset")).containsEntry("stream", "media");
    assertThat(wiki.get("/pages/gallery").body()).contains("Picture sunset.jpg");
  }

  @Test
  void onlyOneOfTwoEditsOfARevisionIsSaved() throws Exception {
    wiki.write("contested", 0, "Contested", "mine");
    long before = wiki.stored();

    HttpResponse<String> second = wiki.save("contested", 0, "Contested", "yours");

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.headers().firstValue("Content-Type"))
        .hasValue("application/problem+json; charset=utf-8");
    assertThat(second.body())
        .contains("\"field\":\"base_revision\"", "the page has revision 1 now");
    assertThat(wiki.stored()).isEqualTo(before);
  }

  /** Concurrent edits: each number is used once, and every answered edit has its events. */
  @Test
  void onlyOneOfManyConcurrentEditsIsSaved() throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<Integer> answers = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 8; i++) {
      String text = "edit " + i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  answers.add(wiki.save("rush", 0, "Rush", text).statusCode());
                } catch (Exception failed) {
                  answers.add(-1);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(answers).hasSize(8).containsOnlyOnce(201);
    assertThat(answers).filteredOn(answer -> answer != 201).containsOnly(409);
    assertThat(wiki.collection("page_revisions").countDocuments(new Document("page_id", "rush")))
        .isEqualTo(1);
    assertThat(wiki.collection("outbox").countDocuments(new Document("aggregate_id", "rush")))
        .isEqualTo(2);
  }
}
