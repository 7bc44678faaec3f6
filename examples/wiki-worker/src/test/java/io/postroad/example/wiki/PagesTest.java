package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.outbox.OutboxSignal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages for browsers. */
class PagesTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  private final RunningWiki wiki = RunningWiki.shared();

  @Test
  void aPageIsWrittenInAFormAndShown() throws Exception {
    assertThat(wiki.get("/pages/walk").statusCode()).isEqualTo(404);
    assertThat(wiki.get("/pages/walk/edit").body()).contains("name=\"base_revision\" value=\"0\"");

    HttpResponse<String> saved =
        wiki.send("POST", "/pages/walk", FORM, form(0, "A walk", "== North ==\nthrough heather"));

    assertThat(saved.statusCode()).isEqualTo(303);
    assertThat(saved.headers().firstValue("Location")).hasValue("/pages/walk");
    wiki.awaitDone("wiki:walk:1");
    wiki.awaitDone("search:walk:1");
    assertThat(wiki.get("/pages/walk").body())
        .contains("<h1>A walk</h1>", "<h3>North</h3>", "<p>through heather</p>")
        .doesNotContain("is being rendered");
    assertThat(wiki.get("/search?q=heather").body()).contains("<a href=\"/pages/walk\">A walk</a>");
    assertThat(wiki.get("/").body()).contains("A walk");
    assertThat(wiki.get("/pages/walk/edit").body())
        .contains("name=\"base_revision\" value=\"1\"", "through heather</textarea>");
    assertThat(wiki.send("POST", "/pages/walk", FORM, form(0, "A walk", "again")).statusCode())
        .isEqualTo(409);
  }

  @Test
  void userInputIsNeverExecuted() throws Exception {
    String evil = "<script>alert(1)</script>\"' onload=x";
    wiki.write("evil", 0, evil, evil + "\n</textarea>" + evil);
    String json = evil.replace("\"", "\\\"");
    assertThat(
            wiki.put(
                    "/api/pages/evil-too",
                    "{\"base_revision\":0,\"title\":\"t\",\"text\":\"x\",\"author\":\"%s\"}"
                        .formatted(json))
                .statusCode())
        .isEqualTo(201);
    assertThat(
            wiki.post(
                    "/api/media",
                    """
                    {"media_id": "evil", "page_id": "evil", "file_name": "%s",
                     "content_type": "image/jpeg", "width": 1, "height": 1}
                    """
                        .formatted(json))
                .statusCode())
        .isEqualTo(201);
    wiki.collection("outbox").insertOne(Events10.document("evil", "wiki", evil, 1));
    var unused =
        wiki.signals()
            .await(
                OutboxSignal.Died.class,
                1,
                signal -> signal.message().id().equals(Events10.id("evil")));
    assertThat(wiki.get("/outbox").body()).contains("no revision &#39;&lt;script&gt;");
    assertThat(wiki.get("/pages/evil").body()).contains("Picture &lt;script&gt;");
    assertThat(wiki.get("/pages/evil-too").body()).contains("&lt;script&gt;");

    for (String path :
        new String[] {
          "/",
          "/pages/evil",
          "/pages/evil/edit",
          "/pages/evil-too",
          "/search?q=alert",
          "/search?q=%3Cscript%3E",
          "/outbox"
        }) {
      HttpResponse<String> page = wiki.get(path);
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).doesNotContain("<script").doesNotContain("</textarea>&lt;");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'none'");
      assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }
    assertThat(wiki.get("/api/pages/evil/revisions/1").body())
        .contains("\"html\":\"<p>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onload=x</p>");
  }

  /** A form on another site must not edit with the browser of a visitor. */
  @ParameterizedTest
  @CsvSource({
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
    "Origin, http://evil.example",
    "Origin, http://localhost:1",
    "Origin, null"
  })
  void aFormOfAnotherSiteIsRefused(String header, String from) throws Exception {
    long before = wiki.stored();

    assertThat(posted("stolen", header, from)).isEqualTo(403);

    assertThat(wiki.stored()).isEqualTo(before);
  }

  @Test
  void aFormOfThisSiteIsAccepted() throws Exception {
    String here = "http://localhost:" + wiki.application().port();

    assertThat(posted("own-one", "Sec-Fetch-Site", "same-origin")).isEqualTo(303);
    assertThat(posted("own-two", "Origin", here)).isEqualTo(303);
  }

  private int posted(String page, String header, String from) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://localhost:%d/pages/%s"
                                .formatted(wiki.application().port(), page)))
                    .header("Content-Type", FORM)
                    .header(header, from)
                    .POST(HttpRequest.BodyPublishers.ofString(form(0, "t", "x")))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode();
  }

  @Test
  void theStyleSheetIsServed() throws Exception {
    assertThat(wiki.get("/style.css").headers().firstValue("Content-Type"))
        .hasValue("text/css; charset=utf-8");
  }

  private static String form(long base, String title, String text) {
    return "base_revision=%d&title=%s&text=%s&author=ada"
        .formatted(
            base,
            URLEncoder.encode(title, StandardCharsets.UTF_8),
            URLEncoder.encode(text, StandardCharsets.UTF_8));
  }
}
