package io.postroad.example.payments.infrastructure.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.postroad.example.payments.RunningApplication;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of the API, mainly to wrong requests: field and reason, and nothing stored. */
class ApiTest {
  private static final String ID = "7b1de8f0-9d0f-4a53-9c0e-6f1b3a1f7c11";

  private static final List<String> TABLES =
      List.of(
          "process_instance",
          "process_log",
          "command",
          "outbox",
          "booking",
          "account",
          "transaction",
          "account_limit",
          "limit_booking",
          "fx_contract",
          "payment");

  private final RunningApplication application = RunningApplication.shared();

  /**
   * Counts the rows of each table and of the outbox. Excludes the inbox, where messages of earlier
   * tests may still arrive; requests write nothing there.
   */
  private List<List<String>> stored() throws Exception {
    return application.query(
        TABLES.stream()
            .map("SELECT '%1$s', count(*) FROM %1$s"::formatted)
            .collect(Collectors.joining(" UNION ALL ", "", " ORDER BY 1")));
  }

  @Test
  void theRowCountCoversEveryTableOfTheApplication() throws Exception {
    String migration =
        Files.readString(Path.of("src/main/resources/db/migration/V3__payments_schema.sql"));
    assertThat(TABLES)
        .containsAll(
            Pattern.compile("CREATE TABLE (\\w+)")
                .matcher(migration)
                .results()
                .map(each -> each.group(1))
                .toList());
  }

  private static void assertProblem(
      HttpResponse<String> response, int status, String field, String reason) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type").orElse(""))
        .contains("application/problem+json");
    JsonNode problem = RunningApplication.json(response);
    assertThat(problem.path("field").textValue()).as(response.body()).isEqualTo(field);
    assertThat(problem.path("reason").textValue()).contains(reason);
    assertThat(problem.path("status").intValue()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          customerId     |                        | customerId    | is missing
          customerId     | null                   | customerId    | is missing
          customerId     | 7                      | customerId    | must be a text
          customerId     | "x"                    | customerId    | UUID
          accountId      | "1-1-1-1-1"            | accountId     | UUID
          currencyCode   | "usd"                  | currencyCode  | three capital letters
          accountType    | "GOLD"                 | accountType   | one of [CHECKING, SAVINGS]
          transitNumber  | "12345678901"          | transitNumber | at most 10
          transitNumber  | " "                    | transitNumber | is missing
          transitNumber  | "a\\u0000"             | transitNumber | control
          transitNumber  | "a\\ud800"             | transitNumber | surrogate
          limitBased     | "true"                 | limitBased    | true or false
          limitBased     | true                   | limits        | is missing
          limits         | {}                     | limits        | must be a list
          limits         | [7]                    | limits[0]     | must be an object
          limits         | [{"transactionType":"DEBIT","amount":0}]  | limits[0].amount | positive
          limits         | [{"transactionType":"X","amount":1}]      | limits[0].transactionType | one of
          limits         | [{"transactionType":"DEBIT","amount":1}]  | limits        | limit-based accounts only
          """)
  void aWrongAccountIsRefused(String field, String value, String named, String reason)
      throws Exception {
    List<List<String>> before = stored();
    assertProblem(application.post("/accounts", with(field, value, account())), 400, named, reason);
    assertThat(stored()).isEqualTo(before);
  }

  private static String account() {
    return """
    {"accountId":"%s","customerId":"%s","currencyCode":"USD","accountType":"CHECKING",
     "transitNumber":"001","limitBased":false,"limits":[]}
    """
        .formatted(UUID.randomUUID(), ID);
  }

  /** Returns the object with one field set to a JSON value, or without the field. */
  private static String with(String field, String value, String json) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode object = (ObjectNode) mapper.readTree(json);
    object.remove(field);
    String rest = object.toString();
    return value == null ? rest : "{\"%s\":%s,%s".formatted(field, value, rest.substring(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          debitAccountId |                                             | 400 | debitAccountId | is missing
          debitAccountId | "7b1de8f0-9d0f-4a53-9c0e-6f1b3a1f7c99"      | 404 | debitAccountId | is not known
          debitAmount    | 7                                           | 400 | debitAmount    | must be an object
          debitAmount    | {"currencyCode":"USD"}                      | 400 | debitAmount.amount | is missing
          debitAmount    | {"amount":"7","currencyCode":"USD"}         | 400 | debitAmount.amount | must be a number
          debitAmount    | {"amount":-7,"currencyCode":"USD"}          | 400 | debitAmount.amount | positive
          debitAmount    | {"amount":0.00001,"currencyCode":"USD"}     | 400 | debitAmount.amount | digits
          debitAmount    | {"amount":1e2147483647,"currencyCode":"USD"} | 400 | debitAmount.amount | digits
          debitAmount    | {"amount":1e-2147483647,"currencyCode":"USD"} | 400 | debitAmount.amount | digits
          debitAmount    | {"amount":1000000000000000,"currencyCode":"USD"} | 400 | debitAmount.amount | digits
          debitAmount    | {"amount":10}                               | 400 | debitAmount.currencyCode | is missing
          debitAmount    | {"amount":10,"currencyCode":"EUR"}          | 400 | debitAmount.currencyCode | must be that of the account
          creditAmount   | {"amount":11,"currencyCode":"USD"}          | 400 | creditAmount   | must be the debitAmount
          valueDate      | "tomorrow"                                  | 400 | valueDate      | must be a date
          valueDate      | "2026-02-30"                                | 400 | valueDate      | must be a date
          beneficiary    | {"accountNumber":"1","transitNumber":"1"}   | 400 | beneficiary.name | is missing
          paymentId      | 7                                           | 400 | paymentId      | must be a text
          """)
  void aWrongPaymentIsRefused(String field, String value, int status, String named, String reason)
      throws Exception {
    UUID accountId = Accounts.SHARED;
    List<List<String>> before = stored();
    assertProblem(
        application.post("/payments", with(field, value, payment(accountId))),
        status,
        named,
        reason);
    assertThat(stored()).isEqualTo(before);
  }

  private static String payment(UUID accountId) {
    return """
    {"debitAccountId":"%s","debitAmount":{"amount":10,"currencyCode":"USD"},
     "creditAmount":{"amount":10,"currencyCode":"USD"},"valueDate":"2026-11-30",
     "beneficiary":{"name":"Ada","accountNumber":"DE1","transitNumber":"002"}}
    """
        .formatted(accountId);
  }

  /** One account for all wrong payments. */
  private static final class Accounts {
    static final UUID SHARED = opened();

    private static UUID opened() {
      try {
        return RunningApplication.shared().account(0);
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nonsense          | is not JSON
          {"a":1            | is not JSON
          {"a":1} x         | is not JSON
          {"a":1,"a":2}     | is not JSON
          []                | must be an object
          ``                | is missing
          """)
  void aBodyThatIsNotAnObjectIsRefused(String body, String reason) throws Exception {
    List<List<String>> before = stored();
    for (String path : new String[] {"/accounts", "/payments"}) {
      assertProblem(application.post(path, body), 400, "body", reason);
    }
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void aWrongDepositIsRefused() throws Exception {
    String path = "/accounts/" + Accounts.SHARED + "/deposits";
    List<List<String>> before = stored();
    assertProblem(application.post(path, "{}"), 400, "amount", "is missing");
    assertProblem(application.post(path, "{\"amount\":-1}"), 400, "amount", "positive");
    assertProblem(
        application.post(path, "{\"amount\":1,\"bookingId\":\"x\"}"), 400, "bookingId", "UUID");
    assertProblem(
        application.post("/accounts/%s/deposits".formatted(UUID.randomUUID()), "{\"amount\":1}"),
        404,
        "accountId",
        "is not known");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void aRepeatedDepositIsBookedOnceAndAnotherWithItsIdIsRefused() throws Exception {
    UUID accountId = application.account(0);
    String path = "/accounts/" + accountId + "/deposits";
    String deposit = "{\"amount\":5,\"bookingId\":\"%s\"}".formatted(UUID.randomUUID());

    HttpResponse<String> first = application.post(path, deposit);
    HttpResponse<String> again = application.post(path, deposit);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(RunningApplication.json(again)).isEqualTo(RunningApplication.json(first));
    assertProblem(
        application.post(path, deposit.replace(":5", ":6")), 409, "bookingId", "another deposit");
    assertThat(
            RunningApplication.json(application.get("/accounts/" + accountId))
                .path("availableBalance")
                .decimalValue())
        .isEqualByComparingTo("5");
  }

  /** The command is accepted, but the account cannot book the amount. */
  @Test
  void aDepositThatTheAccountCannotBookIsRefusedWithTheReason() throws Exception {
    UUID accountId = application.account(0);
    String path = "/accounts/" + accountId + "/deposits";
    String most = "{\"amount\":999999999999999}";
    assertThat(application.post(path, most).statusCode()).isEqualTo(201);

    assertProblem(application.post(path, most), 409, "amount", "15 digits");

    assertThat(application.count("transaction WHERE account_id = '" + accountId + "'"))
        .isEqualTo(1);
  }

  @Test
  void anIdIsUsedOnce() throws Exception {
    UUID accountId = application.account(100);
    UUID paymentId = UUID.randomUUID();
    var unused = application.ended(application.pay(paymentId, accountId, 10, 10, "USD"));
    List<List<String>> before = stored();

    assertProblem(
        application.pay(paymentId, accountId, 10, 10, "USD"), 409, "paymentId", "was used before");
    assertProblem(
        application.post("/accounts", with("accountId", "\"" + accountId + "\"", account())),
        409,
        "accountId",
        "was used before");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void unknownIdsPathsAndMethodsAreProblems() throws Exception {
    assertProblem(application.get("/accounts/" + UUID.randomUUID()), 404, "accountId", "not known");
    assertProblem(application.get("/payments/" + UUID.randomUUID()), 404, "paymentId", "not known");
    assertProblem(
        application.get("/processes/" + UUID.randomUUID()), 404, "processId", "not known");
    assertProblem(application.get("/accounts/7"), 400, "accountId", "UUID");
    assertProblem(application.get("/nowhere"), 404, "path", "not known");
    assertProblem(application.get("/payments"), 405, "method", "not possible");
  }

  @Test
  void aBodyWithoutTheJsonContentTypeIsRefused() throws Exception {
    List<List<String>> before = stored();
    assertProblem(
        application.post("/accounts", "text/plain", account()),
        415,
        "Content-Type",
        "application/json");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void aClientThatDoesNotAcceptJsonIsRefusedBeforeAnyChange() throws Exception {
    List<List<String>> before = stored();
    assertProblem(
        application.send(
            "/accounts",
            request ->
                request
                    .header("Content-Type", "application/json")
                    .header("Accept", "text/csv")
                    .POST(HttpRequest.BodyPublishers.ofString(account()))),
        406,
        "Accept",
        "application/json");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void aPaymentAndItsProcessAreShown() throws Exception {
    UUID accountId = application.account(100);
    UUID paymentId = UUID.randomUUID();
    HttpResponse<String> accepted = application.pay(paymentId, accountId, 10, 10, "USD");
    var unused = application.ended(accepted);

    JsonNode payment = RunningApplication.json(application.get("/payments/" + paymentId));
    assertThat(payment.path("status").textValue()).isEqualTo("SUBMITTED");
    JsonNode process =
        RunningApplication.json(
            application.get(accepted.headers().firstValue("Location").orElseThrow()));
    assertThat(process.path("status").textValue()).isEqualTo("SUCCEEDED");
    assertThat(process.path("log").toString())
        .contains("\"StepCompleted BookLimits\"", "\"StepCompleted CreatePayment\"");
    JsonNode account = RunningApplication.json(application.get("/accounts/" + accountId));
    assertThat(account.path("transactions")).hasSize(2);
  }
}
