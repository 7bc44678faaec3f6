package io.postroad.example.wiki.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Load;
import io.postroad.example.kit.Narrator;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Kills the application with SIGKILL while pages are written and events wait, starts it again, and
 * compares: every revision has its snapshot and is found.
 */
final class CrashRun {
  private static final int BEFORE = 200;
  private static final int AFTER = 50;
  private static final int THREADS = 4;
  private static final int TRIES = 1_000;
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(90);

  private final Servers servers;
  private final Checks checks = new Checks();
  private final Set<String> answered = new HashSet<>();
  private final Set<String> unanswered = new HashSet<>();

  CrashRun(Servers servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException {
    int port = Application.freePort();
    try (Service first = Service.start(servers, port);
        Stored stored = servers.stored()) {
      Load load = new Load(name -> write(first, name) == 201, THREADS);
      load.awaitAnswers(BEFORE);
      freezeWithOpen(first.application(), stored);
      Narrator.say("Killing it with SIGKILL after %d answers.".formatted(load.answered().size()));
      first.application().kill();
      load.stop();
      answered.addAll(load.answered());
      unanswered.addAll(load.unanswered());
      leaveHalfAnEdit(stored);
      long open = stored.open();
      checks.that(open > 0, open + " events were not known to be handled then");
    }
    try (Service second = Service.start(servers, port);
        Stored stored = servers.stored()) {
      resend(second);
      goOn(second);
      Set<String> pages = written(stored);
      became(stored, pages);
      ServiceChecks service = new ServiceChecks(second, stored, checks);
      service.refusals("after-0");
      service.numbers(ARRIVES_WITHIN);
      return checks.result(
          "no revision was lost, and no snapshot exists without its revision.",
          second.application().log());
    }
  }

  /**
   * Creates the state after a crash between the two writes of an edit without transactions, which
   * happens seldom.
   */
  private void leaveHalfAnEdit(Stored stored) {
    if (servers.transactions().equals("none")) {
      Narrator.say("Adding a revision without events, as a crash between the two leaves it.");
      stored.insertRevision("half");
      answered.add("half");
    }
  }

  private static int write(Service service, String page) throws IOException, InterruptedException {
    return service.save(page, 0, "about " + page).statusCode();
  }

  /**
   * Freezes the application while events are open, so that they are still open when it is killed.
   */
  private static void freezeWithOpen(Application service, Stored stored) {
    for (int i = 1; ; i++) {
      service.freeze();
      if (stored.open() > 0 || i == TRIES) {
        return;
      }
      service.unfreeze();
    }
  }

  /** Repeats unanswered requests, as a client would. */
  private void resend(Service service) throws IOException, InterruptedException {
    int created = 0;
    int existed = 0;
    for (String page : unanswered) {
      int code = write(service, page);
      created += code == 201 ? 1 : 0;
      existed += code == 409 ? 1 : 0;
    }
    checks.that(
        created + existed == unanswered.size(),
        "%d requests without an answer were repeated: %d were saved now (201), %d earlier (409)"
            .formatted(unanswered.size(), created, existed));
  }

  private void goOn(Service service) throws IOException, InterruptedException {
    int created = 0;
    for (int i = 0; i < AFTER; i++) {
      if (write(service, "after-" + i) == 201) {
        answered.add("after-" + i);
        created++;
      }
    }
    checks.that(created == AFTER, "the application works after the restart");
  }

  private Set<String> written(Stored stored) {
    Set<String> asked = new HashSet<>(answered);
    asked.addAll(unanswered);
    Set<String> first = asked.stream().map(page -> page + ":1").collect(Collectors.toSet());
    checks.that(
        stored.ids("page_revisions").equals(first), "every sent page is stored once, and no other");
    return asked;
  }

  private void became(Stored stored, Set<String> pages) throws InterruptedException {
    Set<String> revisions = pages.stream().map(page -> page + ":1").collect(Collectors.toSet());
    boolean rendered =
        Await.until(() -> stored.ids("page_snapshots").equals(revisions), ARRIVES_WITHIN);
    checks.that(
        rendered,
        "%d revisions, %d snapshots".formatted(revisions.size(), stored.count("page_snapshots")));
    boolean found = Await.until(() -> stored.ids("search_index").equals(pages), ARRIVES_WITHIN);
    checks.that(
        found, "%d pages, %d in the index".formatted(pages.size(), stored.count("search_index")));
    for (String stream : new String[] {"wiki", "search"}) {
      checks.that(
          stored.events(stream).equals(revisions) && stored.countEvents(stream) == revisions.size(),
          "each revision has one event in stream " + stream);
    }
  }
}
