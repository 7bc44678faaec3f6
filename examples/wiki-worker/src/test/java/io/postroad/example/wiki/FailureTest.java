package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.wiki.domain.Lengths;
import io.postroad.outbox.OutboxSignal;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Temporary failures are retried; permanent failures are dead letters and can be replayed. */
class FailureTest {
  private final RunningWiki wiki = RunningWiki.shared();

  /** N is 3 here: three executions, then dead. */
  @Test
  void anEventDiesAfterNAttemptsIsCopiedAndReplayedByHand() throws Exception {
    assertThat(wiki.save("needy", 0, "Needy", "{{missing}}").statusCode()).isEqualTo(201);
    UUID id = RunningWiki.id("wiki:needy:1");
    OutboxSignal.Died died =
        wiki.signals()
            .await(OutboxSignal.Died.class, 1, signal -> signal.message().id().equals(id));

    assertThat(died.attempt()).isEqualTo(3);
    Document dead = wiki.event("wiki:needy:1");
    assertThat(dead)
        .containsEntry("status", "dead")
        .containsEntry("lease_owner", null)
        .containsEntry("lease_until", null);
    assertThat(dead.getString("last_error")).contains("page 'missing', which needy:1 includes");
    Document copied = new Document("_id", dead.get("_id"));
    wiki.awaitCount("outbox_dead", copied, 1);
    Document copy = wiki.collection("outbox_dead").find(copied).first();
    assertThat(copy.get("payload", Document.class)).containsEntry("page_id", "needy");
    assertThat(wiki.get("/api/outbox/dead").body())
        .contains(id.toString(), "\"attempts\":3", "\"aggregate_id\":\"needy\"");
    assertThat(wiki.get("/outbox").body()).contains("page &#39;missing&#39;", id.toString());

    wiki.write("missing", 0, "Missing", "here it is");
    HttpResponse<String> replayed =
        wiki.post(
            "/api/outbox/dead/%s/replay".formatted(id),
            "{\"by\": \"ada\", \"reason\": \"the page is there now\"}");
    assertThat(replayed.statusCode()).isEqualTo(202);
    wiki.awaitDone("wiki:needy:1");

    assertThat(wiki.get("/api/pages/needy/revisions/1").body()).contains("here it is");
    assertThat(wiki.event("wiki:needy:1")).containsEntry("status", "done");
    wiki.awaitCount("outbox_dead", copied, 0);
    assertThat(
            wiki.post(
                    "/api/outbox/dead/%s/replay".formatted(id),
                    "{\"by\": \"ada\", \"reason\": \"once more\"}")
                .statusCode())
        .as("it is no longer dead")
        .isEqualTo(409);
  }

  /** Section 10.3: failed, with the time of the next attempt. */
  @Test
  void aFailedAttemptWaitsForItsTimeAndThenSucceeds() throws Exception {
    try (RunningWiki patient =
        RunningWiki.start(Map.of("OUTBOX_BACKOFF_MILLIS", "300000", "OUTBOX_MAX_ATTEMPTS", "8"))) {
      assertThat(patient.save("early", 0, "Early", "{{later}}").statusCode()).isEqualTo(201);
      UUID id = RunningWiki.id("wiki:early:1");
      var unused =
          patient
              .signals()
              .await(
                  OutboxSignal.RetryScheduled.class, 1, signal -> signal.message().id().equals(id));
      Document failed = patient.event("wiki:early:1");
      assertThat(failed).containsEntry("status", "failed").containsEntry("lease_owner", null);
      assertThat(failed.getDate("next_retry_at")).isAfter(Instant.now());
      assertThat(failed.get("attempts", Number.class).intValue()).isEqualTo(1);
      assertThat(patient.get("/pages/early").body())
          .contains("Revision 1 is being rendered.", "http-equiv=\"refresh\"");
      assertThat(patient.get("/api/pages/early").body()).contains("\"render_error\":\"\"");

      patient.write("later", 0, "Later", "the rest");
      patient
          .collection("outbox")
          .updateOne(
              new Document("_id", failed.get("_id")),
              new Document("$set", new Document("next_retry_at", Instant.now())));
      patient.awaitDone("wiki:early:1");
      assertThat(patient.get("/pages/early").body()).contains("the rest");
    }
  }

  @Test
  void aPermanentFailureIsDeadAtOnce() throws Exception {
    assertThat(wiki.save("mirror", 0, "Mirror", "{{mirror}}").statusCode()).isEqualTo(201);
    OutboxSignal.Died died =
        wiki.signals()
            .await(
                OutboxSignal.Died.class,
                1,
                signal -> signal.message().id().equals(RunningWiki.id("wiki:mirror:1")));

    assertThat(died.attempt()).isEqualTo(1);
    assertThat(died.error()).contains("page 'mirror' includes itself");
    assertThat(wiki.get("/pages/mirror").body())
        .contains("Revision 1 cannot be rendered", "page &#39;mirror&#39; includes itself")
        .doesNotContain("is being rendered")
        .doesNotContain("http-equiv=\"refresh\"");
    assertThat(wiki.get("/api/pages/mirror").body())
        .contains("\"rendered_revision\":0", "page 'mirror' includes itself");
  }

  /**
   * A snapshot above the codec's default limit of a megabyte is served; one above the limit of
   * snapshots is not.
   */
  @Test
  void aPageThatIncludesTooMuchIsDeadAtOnceAndASmallerOneIsServed() throws Exception {
    wiki.write("big", 0, "Big", "\u0436".repeat(Lengths.TEXT));
    wiki.write("six", 0, "Six", "{{big}}\n".repeat(6));
    assertThat(wiki.save("eleven", 0, "Eleven", "{{big}}\n".repeat(11)).statusCode())
        .isEqualTo(201);

    assertThat(wiki.get("/api/pages/six/revisions/1").statusCode()).isEqualTo(200);
    assertThat(wiki.get("/api/pages/six/revisions/1").body()).hasSizeGreaterThan(6 * Lengths.TEXT);
    OutboxSignal.Died died =
        wiki.signals()
            .await(
                OutboxSignal.Died.class,
                1,
                signal -> signal.message().id().equals(RunningWiki.id("wiki:eleven:1")));
    assertThat(died.attempt()).isEqualTo(1);
    assertThat(died.error()).contains("eleven:1: html would have more than 1000000 characters");
  }

  /** Section 10.2: a worker that died while it had claimed the event. */
  @Test
  void onlyAnExpiredLeaseIsTakenOver() throws Exception {
    wiki.write("leased", 0, "Leased", "text");
    Instant past = Instant.now().minusSeconds(60);
    Instant future = Instant.now().plusSeconds(3_600);
    wiki.collection("outbox")
        .insertOne(
            Events10.document("held", "wiki", "leased", 1)
                .append("status", "processing")
                .append("lease_owner", "other")
                .append("lease_until", future)
                .append("attempts", 1));
    wiki.collection("outbox")
        .insertOne(
            Events10.document("expired", "wiki", "leased", 1)
                .append("status", "processing")
                .append("lease_owner", "crashed")
                .append("lease_until", past)
                .append("attempts", 1));
    Events10.awaitDone(wiki, "expired");

    assertThat(wiki.collection("outbox").find(new Document("_id", "expired")).first())
        .containsEntry("status", "done")
        .containsEntry("lease_owner", null);
    assertThat(wiki.collection("outbox").find(new Document("_id", "held")).first())
        .containsEntry("status", "processing")
        .containsEntry("lease_owner", "other");
  }
}
