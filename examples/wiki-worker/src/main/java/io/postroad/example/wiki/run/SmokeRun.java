package io.postroad.example.wiki.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import java.time.Duration;
import java.util.UUID;

/**
 * Tries the main path over HTTP: edits, renders and finds pages, creates thumbnails, and checks
 * error answers. Its pages have new names, so that it can run twice with one database.
 */
final class SmokeRun {
  private static final int PAGES = 10;
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(60);

  private final Servers servers;
  private final Duration arrivesWithin;
  private final String run = "smoke-" + UUID.randomUUID().toString().substring(0, 8);
  private final Checks checks = new Checks();

  SmokeRun(Servers servers) {
    this(servers, ARRIVES_WITHIN);
  }

  SmokeRun(Servers servers, Duration arrivesWithin) {
    this.servers = servers;
    this.arrivesWithin = arrivesWithin;
  }

  boolean holds() throws Exception {
    try (Service service = Service.start(servers, Application.freePort())) {
      return holds(service);
    }
  }

  boolean holds(Service service) throws Exception {
    try (Stored stored = servers.stored()) {
      long before = stored.count("outbox");
      edit(service);
      checks.that(
          stored.count("outbox") == before + 4 * PAGES,
          "each revision has an event for rendering and one for indexing");
      Application application = service.application();
      seen(application);
      picture(application);
      ServiceChecks told = new ServiceChecks(service, stored, checks);
      told.refusals(page(0));
      told.numbers(arrivesWithin);
      return checks.result("every edit was rendered and found.", application.log());
    }
  }

  private String page(int number) {
    return run + "-" + number;
  }

  /** Edits each page twice. */
  private void edit(Service service) throws Exception {
    int saved = 0;
    for (int i = 0; i < PAGES; i++) {
      saved += service.save(page(i), 0, "the first of " + run).statusCode() == 201 ? 1 : 0;
      saved += service.save(page(i), 1, word(i) + " <b>now</b>").statusCode() == 201 ? 1 : 0;
    }
    checks.that(saved == 2 * PAGES, saved + " revisions of " + PAGES + " pages saved over HTTP");
  }

  /** Returns a word that no other page has. */
  private String word(int number) {
    return page(number).replace("-", "x");
  }

  private void seen(Application application) throws Exception {
    int rendered = 0;
    int found = 0;
    int shown = 0;
    for (int i = 0; i < PAGES; i++) {
      String page = page(i);
      rendered +=
          until(() -> application.get("/api/pages/" + page + "/revisions/2").statusCode() == 200);
      String hit = "\"page_id\":\"%s\",\"revision_id\":2".formatted(page);
      String words = "/api/search?q=" + word(i);
      found += until(() -> application.get(words).body().contains(hit));
      shown +=
          application
                  .get("/pages/" + page)
                  .body()
                  .contains("<p>%s &lt;b&gt;now&lt;/b&gt;</p>".formatted(word(i)))
              ? 1
              : 0;
    }
    checks.that(rendered == PAGES, rendered + " pages are rendered");
    checks.that(found == PAGES, found + " pages are found by their latest words");
    checks.that(shown == PAGES, shown + " pages are shown, without the tags that were written");
  }

  private int until(Await.Condition<Exception> holds) throws Exception {
    return Await.until(holds, arrivesWithin) ? 1 : 0;
  }

  private void picture(Application application) throws Exception {
    int status =
        application
            .post(
                "/api/media",
                """
                {"media_id":"%s","page_id":"%s","file_name":"p.png","content_type":"image/png","width":800,"height":600}
                """
                    .formatted(run, page(0)))
            .statusCode();
    checks.that(
        status == 201
            && until(
                    () ->
                        application
                            .get("/api/media/" + run)
                            .body()
                            .contains("{\"box\":64,\"width\":64,\"height\":48}"))
                == 1,
        "a picture has thumbnails");
  }
}
