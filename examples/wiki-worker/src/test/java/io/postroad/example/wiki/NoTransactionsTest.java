package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import io.postroad.servers.MongoServer;
import io.postroad.servers.ServerOptions;
import java.time.Instant;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Section 10.5: a MongoDB without a replica set, and reconcilers instead of transactions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NoTransactionsTest {
  private MongoServer server;
  private RunningWiki wiki;

  @BeforeAll
  void start() {
    server = MongoServer.standalone(ServerOptions.defaults());
    server.start();
    wiki =
        RunningWiki.start(
            server,
            server.freshDatabase("wiki"),
            Map.of("OUTBOX_TRANSACTIONS", "none", "RECONCILE_SECONDS", "1"));
  }

  @AfterAll
  void stop() {
    wiki.close();
    server.close();
  }

  @Test
  void aStandaloneServerIsRefusedUnlessItIsDeclared() {
    assertThatThrownBy(() -> RunningWiki.start(server, server.freshDatabase("wiki"), Map.of()))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("TransactionMode.NONE");
  }

  @Test
  void anEditIsRenderedAndFoundWithoutTransactions() throws Exception {
    wiki.write("plain", 0, "Plain", "ibex");
    wiki.write("plain", 1, "Plain", "chamois");

    assertThat(wiki.get("/api/pages/plain/revisions/2").body()).contains("chamois");
    assertThat(wiki.get("/api/search?q=chamois").body()).contains("\"revision_id\":2");
    assertThat(wiki.event("wiki:plain:2")).containsEntry("status", "done");
    assertThat(wiki.save("plain", 0, "Plain", "late").statusCode()).isEqualTo(409);
    assertThat(wiki.get("/health").body())
        .contains("\"status\":\"UP\"", "\"transactions\":\"NONE\"");
  }

  /** The state after a crash between the two writes: revisions without events. */
  @Test
  void reconcilersFindRevisionsWithoutSnapshots() throws Exception {
    insertRevision("lost", 1);
    insertRevision("lost", 2);
    wiki.collection("media")
        .insertOne(
            new Document("_id", "lost-picture")
                .append("page_id", "lost")
                .append("file_name", "f.png")
                .append("content_type", "image/png")
                .append("width", 10L)
                .append("height", 10L)
                .append("created_at", Instant.now()));

    wiki.awaitDone("wiki:lost:1");
    wiki.awaitDone("wiki:lost:2");
    wiki.awaitDone("search:lost:2");
    wiki.awaitDone("media:lost-picture");
    assertThat(wiki.get("/api/pages/lost/revisions/1").body()).contains("<p>revision 1</p>");
    assertThat(wiki.get("/api/pages/lost/revisions/2").body()).contains("<p>revision 2</p>");
    assertThat(wiki.get("/api/media/lost-picture").body()).contains("\"box\":64");
    assertThat(wiki.get("/api/search?q=revision").body()).contains("\"revision_id\":2");
  }

  private void insertRevision(String page, long revision) {
    wiki.collection("page_revisions")
        .insertOne(
            new Document("_id", page + ":" + revision)
                .append("page_id", page)
                .append("revision_id", revision)
                .append("title", "Lost")
                .append("text", "revision " + revision)
                .append("author", "ada")
                .append("created_at", Instant.now()));
  }
}
