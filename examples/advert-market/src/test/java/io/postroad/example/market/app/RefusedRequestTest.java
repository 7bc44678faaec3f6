package io.postroad.example.market.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All refused HTTP requests: problem+json with field and reason, and nothing stored. */
class RefusedRequestTest {
  private static final RunningApplication APPLICATION = RunningApplication.shared();

  @BeforeAll
  static void deals() throws Exception {
    APPLICATION.create("plain");
    APPLICATION.create("funded");
    APPLICATION.post("/deals/funded/fund", "{\"amount\":10.5}");
    APPLICATION.create("ended");
    APPLICATION.post("/deals/ended/cancel", "{\"reason\":\"no room\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"advertiserId":"a","channelId":"c","price":1,"currency":"EUR"}                                | dealId       | is missing
          {"dealId":" ","advertiserId":"a","channelId":"c","price":1,"currency":"EUR"}                   | dealId       | is missing
          {"dealId":"1234567890123456789012345678901234567","advertiserId":"a","channelId":"c","price":1,"currency":"EUR"} | dealId | 1 to 36
          {"dealId":"a/b","advertiserId":"a","channelId":"c","price":1,"currency":"EUR"}                 | dealId       | letters
          {"dealId":"b\\u0000d","advertiserId":"a","channelId":"c","price":1,"currency":"EUR"}           | dealId       | letters
          {"dealId":{},"advertiserId":"a","channelId":"c","price":1,"currency":"EUR"}                    | dealId       | cannot be read
          {"dealId":"bad","channelId":"c","price":1,"currency":"EUR"}                                    | advertiserId | is missing
          {"dealId":"bad","advertiserId":"a\\u0000","channelId":"c","price":1,"currency":"EUR"}          | advertiserId | control
          {"dealId":"bad","advertiserId":"12345678901234567890123456789012345678901234567890123456789012345","channelId":"c","price":1,"currency":"EUR"} | advertiserId | at most 64
          {"dealId":"bad","advertiserId":"a","channelId":"\\ud800","price":1,"currency":"EUR"}           | channelId    | surrogate
          {"dealId":"bad","advertiserId":"a","price":1,"currency":"EUR"}                                 | channelId    | is missing
          {"dealId":"bad","advertiserId":"a","channelId":"c","currency":"EUR"}                           | price        | is missing
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":0,"currency":"EUR"}                 | price        | positive
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":-1,"currency":"EUR"}                | price        | positive
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":0.001,"currency":"EUR"}             | price        | digits
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":1000000000000000,"currency":"EUR"}  | price        | digits
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":1e2147483647,"currency":"EUR"}      | price        | digits
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":1e-2147483647,"currency":"EUR"}     | price        | digits
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":"much","currency":"EUR"}            | price        | cannot be read
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":1}                                  | currency     | three capital letters
          {"dealId":"bad","advertiserId":"a","channelId":"c","price":1,"currency":"Euro"}                | currency     | three capital letters
          nonsense                                                                                       | body         | JSON
          null                                                                                           | body         | JSON
          []                                                                                             | body         | JSON
          """)
  void anInvalidDealIsRefused(String body, String field, String reason) throws Exception {
    refused("/deals", body, 400, field, reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /deals                | {"dealId":"plain","advertiserId":"a","channelId":"c","price":1,"currency":"EUR"} | 409 | dealId | created before
          /deals/plain/fund     | {}                  | 400 | amount | is missing
          /deals/plain/fund     | {"amount":"much"}   | 400 | amount | cannot be read
          /deals/plain/fund     | {"amount":-1}       | 400 | amount | positive
          /deals/plain/fund     | {"amount":10.49}    | 400 | amount | must be the price, 10.50
          /deals/plain/fund     | {"amount":1e999999} | 400 | amount | digits
          /deals/plain/fund     | nonsense            | 400 | body   | JSON
          /deals/plain/complete | {}                  | 409 | status | is CREATED
          /deals/plain/cancel   | {}                  | 400 | reason | is missing
          /deals/plain/cancel   | {"reason":"a\\nb"}  | 400 | reason | control
          /deals/plain/cancel   | {"reason":[]}       | 400 | reason | cannot be read
          /deals/ended/fund     | {"amount":10.5}     | 409 | status | is CANCELLED
          /deals/ended/complete | {}                  | 409 | status | is CANCELLED
          /deals/ended/cancel   | {"reason":"again"}  | 409 | status | is CANCELLED
          /deals/nobody/fund    | {"amount":10.5}     | 404 | dealId | of no deal
          /deals/nobody/complete | {}                 | 404 | dealId | of no deal
          /deals/nobody/cancel  | {"reason":"none"}   | 404 | dealId | of no deal
          /deals/a%20b/complete | {}                  | 400 | dealId | letters
          """)
  void anInvalidChangeIsRefused(String path, String body, int status, String field, String reason)
      throws Exception {
    refused(path, body, status, field, reason);
  }

  @Test
  void aReasonThatIsTooLongIsRefused() throws Exception {
    refused(
        "/deals/plain/cancel",
        "{\"reason\":\"%s\"}".formatted("r".repeat(501)),
        400,
        "reason",
        "at most 500");
  }

  @Test
  void anUnknownDealOrPathIsNotFound() throws Exception {
    isProblem(APPLICATION.get("/deals/nobody"), 404, "dealId", "of no deal");
    isProblem(APPLICATION.get("/deals/nobody/outbox"), 404, "dealId", "of no deal");
  }

  @Test
  void aBodyWithoutTheJsonContentTypeIsRefused() throws Exception {
    refused(
        () -> APPLICATION.post("/deals", "{}", Map.of("Content-Type", "text/plain")),
        415,
        "Content-Type",
        "application/json");
  }

  /** Refused before a change, because the answer could not be written. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /deals                | {"dealId":"unread","advertiserId":"a","channelId":"c","price":1,"currency":"EUR"} | application/xml
          /deals                | {"dealId":"unread","advertiserId":"a","channelId":"c","price":1,"currency":"EUR"} | nonsense
          /deals/plain/fund     | {"amount":10.5}    | text/plain
          /deals/plain/cancel   | {"reason":"none"}  | application/xml
          /deals/funded/complete | {}                | image/png
          """)
  void aClientThatDoesNotAcceptJsonIsRefused(String path, String body, String accept)
      throws Exception {
    refused(
        () -> APPLICATION.post(path, body, Map.of("Accept", accept)),
        406,
        "Accept",
        "application/json");
  }

  private static void refused(String path, String body, int status, String field, String reason)
      throws Exception {
    refused(() -> APPLICATION.post(path, body), status, field, reason);
  }

  private static void refused(
      Callable<HttpResponse<String>> request, int status, String field, String reason)
      throws Exception {
    String deals = deal();
    long entries = APPLICATION.count("outbox");

    isProblem(request.call(), status, field, reason);

    assertThat(deal()).isEqualTo(deals);
    assertThat(APPLICATION.count("outbox")).isEqualTo(entries);
  }

  /** Returns all deals as text. */
  private static String deal() {
    return String.valueOf(
        APPLICATION
            .jdbc()
            .queryForObject(
                "SELECT string_agg(CAST(d AS text), '\n' ORDER BY id) FROM deal d", String.class));
  }

  private static void isProblem(
      HttpResponse<String> response, int status, String field, String reason) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type"))
        .get()
        .asString()
        .contains("application/problem+json");
    JsonNode problem = JsonMapper.shared().readTree(response.body());
    assertThat(problem.path("field").asString()).isEqualTo(field);
    assertThat(problem.path("reason").asString()).contains(reason);
  }
}
