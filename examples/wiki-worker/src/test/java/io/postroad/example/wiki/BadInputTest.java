package io.postroad.example.wiki;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.jackson.JacksonJsonCodec;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every wrong request is answered with field and reason, and nothing is stored. */
class BadInputTest {
  private final RunningWiki wiki = RunningWiki.shared();
  private long before;

  @BeforeEach
  void count() {
    before = wiki.stored();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"title\":\"t\",\"text\":\"x\",\"author\":\"a\"} | base_revision | is missing",
        "{\"base_revision\":0,\"text\":\"x\",\"author\":\"a\"} | title | is missing",
        "{\"base_revision\":0,\"title\":null,\"text\":\"x\",\"author\":\"a\"} | title | is missing",
        "{\"base_revision\":0,\"title\":7,\"text\":\"x\",\"author\":\"a\"} | title | must be a"
            + " text",
        "{\"base_revision\":0,\"title\":\" \",\"text\":\"x\",\"author\":\"a\"} | title | must not"
            + " be empty",
        "{\"base_revision\":\"0\",\"title\":\"t\",\"text\":\"x\",\"author\":\"a\"} | base_revision"
            + " | must be a whole number",
        "{\"base_revision\":0.5,\"title\":\"t\",\"text\":\"x\",\"author\":\"a\"} | base_revision |"
            + " must be a whole number",
        "{\"base_revision\":99999999999999999999,\"title\":\"t\",\"text\":\"x\",\"author\":\"a\"} |"
            + " base_revision | must be a whole number",
        "{\"base_revision\":-1,\"title\":\"t\",\"text\":\"x\",\"author\":\"a\"} | base_revision |"
            + " must be 0",
        "{\"base_revision\":0,\"title\":\"t\",\"text\":\"x\",\"author\":\"a\",\"html\":\"<b>\"} |"
            + " html | is not known",
        "{\"base_revision\":0,\"title\":\"t\",\"title\":\"u\",\"text\":\"x\",\"author\":\"a\"} |"
            + " body | must be a JSON object",
        "[1] | body | must be a JSON object",
        "null | body | must be a JSON object",
        "{\"base_revision\": | body | must be a JSON object",
        "{'title':'t'} | body | must be a JSON object",
      })
  void aPage(String body, String field, String reason) throws Exception {
    refused(wiki.put("/api/pages/bad", body), 400, field, reason);
  }

  @Test
  void aPageThatIsTooLongEmptyOrMisnamedIsRefused() throws Exception {
    refused(wiki.save("bad", 0, "t".repeat(201), "x"), 400, "title", "at most 200 characters");
    refused(wiki.save("bad", 0, "t", "x".repeat(100_001)), 400, "text", "at most 100000");
    refused(
        wiki.put("/api/pages/bad", "\"" + "x".repeat(1_100_000)),
        413,
        "body",
        "at most 1048576 bytes");
    refused(wiki.save("Bad_Name", 0, "t", "x"), 400, "page_id", "lower-case");
    refused(wiki.save("a".repeat(101), 0, "t", "x"), 400, "page_id", "at most 100");
    refused(wiki.put("/api/pages/bad", ""), 400, "body", "must be a JSON object");
    refused(wiki.save("bad", 7, "t", "x"), 409, "base_revision", "must be 0");
  }

  @Test
  void aBodyWithoutTheJsonContentTypeIsRefused() throws Exception {
    refused(
        wiki.send("PUT", "/api/pages/bad", "text/plain", "{}"),
        415,
        "Content-Type",
        "must be application/json");
    refused(
        wiki.send("PUT", "/api/pages/bad", "", "{}"),
        415,
        "Content-Type",
        "must be application/json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"media_id\":\"A\" | 400 | media_id | lower-case",
        "\"page_id\":\"nobody-wrote-it\" | 404 | page_id | is of no page",
        "\"content_type\":\"text/html\" | 400 | content_type | must be one of",
        "\"width\":0 | 400 | width | 1 to 100000",
        "\"height\":100001 | 400 | height | 1 to 100000",
        "\"height\":\"1\" | 400 | height | must be a whole number",
        "\"file_name\":\"\" | 400 | file_name | must not be empty",
      })
  void aPicture(String wrong, int status, String field, String reason) throws Exception {
    String valid =
        """
        {"media_id":"bad","page_id":"bad","file_name":"f","content_type":"image/png","width":1,"height":1}
        """;
    String name = wrong.substring(0, wrong.indexOf(':'));
    refused(
        wiki.post("/api/media", valid.replaceAll(name + ":(\"[^\"]*\"|[0-9]+)", wrong)),
        status,
        field,
        reason);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/pages/nobody-wrote-it, 404, page_id",
    "/api/pages/UPPER, 400, page_id",
    "/api/pages/nobody-wrote-it/revisions/1, 404, revision_id",
    "/api/pages/nobody-wrote-it/revisions/0, 400, revision_id",
    "/api/pages/nobody-wrote-it/revisions/one, 400, revision_id",
    "/api/media/nobody-sent-it, 404, media_id",
    "/api/search, 400, q",
    "/api/search?q=, 400, q",
    "/api/nothing, 404, path"
  })
  void aRequestForAMissingObjectIsRefused(String path, int status, String field) throws Exception {
    refused(wiki.get(path), status, field, "");
  }

  @Test
  void searchWordsThatAreTooLongAreRefused() throws Exception {
    refused(wiki.get("/api/search?q=" + "x".repeat(201)), 400, "q", "1 to 200 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"media_id", "page_id", "file_name", "content_type", "width", "height"})
  void aPictureWithAMissingFieldIsRefused(String field) throws Exception {
    Map<String, Object> fields =
        new HashMap<>(
            Map.of(
                "media_id", "bad",
                "page_id", "bad",
                "file_name", "f",
                "content_type", "image/png",
                "width", 1,
                "height", 1));
    fields.remove(field);
    refused(
        wiki.post("/api/media", JacksonJsonCodec.create().encode(fields)),
        400,
        field,
        "is missing");
  }

  @Test
  void aReplay() throws Exception {
    String decision = "{\"by\":\"ada\",\"reason\":\"because\"}";
    refused(wiki.post("/api/outbox/dead/7/replay", decision), 400, "id", "must be a UUID");
    String unknown = "/api/outbox/dead/00000000-0000-7000-8000-000000000000/replay";
    refused(wiki.post(unknown, decision), 404, "id", "is of no event");
    refused(wiki.post(unknown, "{\"by\":\"ada\"}"), 400, "reason", "is missing");
    refused(wiki.post(unknown, "{\"reason\":\"because\"}"), 400, "by", "is missing");
  }

  @Test
  void anUnknownMethodOfAPathIsRefused() throws Exception {
    assertThat(wiki.send("DELETE", "/api/pages/bad", "", "").headers().firstValue("Allow"))
        .hasValue("GET, PUT");
    refused(
        wiki.send("DELETE", "/api/pages/bad", "", ""), 405, "method", "must be one of GET, PUT");
    refused(wiki.send("DELETE", "/health", "", ""), 405, "method", "must be one of GET");
    refused(wiki.send("DELETE", "/metrics", "", ""), 405, "method", "must be one of GET");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "title=t&text=x&author=a",
        "base_revision=zero&title=t&text=x&author=a",
        "base_revision=0&title=&text=x&author=a",
        "base_revision=0&title=%ZZ&text=x&author=a"
      })
  void anInvalidFormIsRefused(String form) throws Exception {
    HttpResponse<String> refused =
        wiki.send("POST", "/pages/bad", "application/x-www-form-urlencoded", form);

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(refused.body()).contains("nothing was changed");
    assertThat(wiki.stored()).isEqualTo(before);
  }

  private void refused(HttpResponse<String> answer, int status, String field, String reason) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(answer.body())
        .contains("\"field\":\"" + field + "\"", "\"reason\":\"")
        .contains(reason);
    assertThat(wiki.stored()).isEqualTo(before);
  }
}
