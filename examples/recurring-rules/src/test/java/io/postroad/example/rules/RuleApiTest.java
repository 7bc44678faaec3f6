package io.postroad.example.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.rules.infrastructure.outbox.OutboxRepository;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From HTTP to the collections and to Kafka. */
class RuleApiTest {
  private static final String MONTHLY = "{\"type\":\"MONTHLY\",\"dayOfMonth\":10}";
  private static final String DAILY = "{\"type\":\"DAILY\"}";
  private static final String START = "2028-01-10";

  @SuppressWarnings("NullAway.Init")
  private RunningApplication application;

  @BeforeEach
  void clear() {
    application = RunningApplication.cleared();
  }

  @Test
  void aNewRuleIsStoredAndPublished() throws Exception {
    HttpResponse<String> response =
        application.post("/recurring-rules", RunningApplication.body(MONTHLY, START, ""));
    assertThat(response.statusCode()).isEqualTo(201);
    JsonNode rule = RunningApplication.json(response);
    String id = rule.path("ruleId").asString();
    assertThat(id).matches("RR\\d{8}");
    assertThat(response.headers().firstValue("Location")).contains("/recurring-rules/" + id);
    assertThat(rule.path("status").asString()).isEqualTo("ACTIVE");
    assertThat(rule.path("nextDate").asString()).isEqualTo("2028-01-10");
    assertThat(rule.path("version").asLong()).isZero();
    assertThat(RunningApplication.json(application.get("/recurring-rules/" + id))).isEqualTo(rule);

    ConsumerRecord<String, String> event = RunningApplication.received(id, 1).get(0);
    JsonNode payload = JsonMapper.shared().readTree(event.value());
    assertThat(payload.propertyNames())
        .containsExactly(
            "ruleId",
            "cashFlowId",
            "userId",
            "name",
            "description",
            "amount",
            "type",
            "categoryName",
            "recurrencePattern",
            "startDate",
            "endDate",
            "createdAt",
            "occurredAt");
    assertThat(event.value()).contains("\"amount\":{\"amount\":8500.00,\"currency\":\"PLN\"}");
    assertThat(payload.path("startDate").asString()).isEqualTo("2028-01-10");
    assertThat(payload.path("endDate").isNull()).isTrue();
    assertThat(payload.path("createdAt").asString()).isEqualTo("2028-01-05T10:30:00Z");
  }

  @Test
  void theSameKeyCreatesOneRuleAndSurvivesEveryUpdate() throws Exception {
    String key = UUID.randomUUID().toString();
    String body = RunningApplication.body(MONTHLY, START, keyed(key));
    String id =
        RunningApplication.json(application.post("/recurring-rules", body))
            .path("ruleId")
            .asString();
    assertThat(application.post("/recurring-rules/" + id + "/pause", "{}").statusCode())
        .isEqualTo(200);
    assertThat(application.put("/recurring-rules/" + id, update(1, "Pensja")).statusCode())
        .isEqualTo(200);
    assertThat(application.rule(id).getString("idempotencyKey")).isEqualTo(key);

    HttpResponse<String> again = application.post("/recurring-rules", body);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(RunningApplication.json(again).path("ruleId").asString()).isEqualTo(id);
    assertThat(RunningApplication.json(again).path("status").asString()).isEqualTo("PAUSED");
    assertThat(application.rules().countDocuments()).isEqualTo(1);
    assertThat(application.eventTypes(id))
        .containsExactly("RuleCreatedEvent", "RulePausedEvent", "RuleUpdatedEvent");

    HttpResponse<String> other =
        application.post(
            "/recurring-rules", RunningApplication.body(MONTHLY, "2028-01-11", keyed(key)));
    problem(other, 409, "idempotencyKey", "another rule");
  }

  @Test
  void concurrentRequestsWithOneKeyCreateOneRuleAndAllReturnIt() throws Exception {
    String key = UUID.randomUUID().toString();
    String body = RunningApplication.body(MONTHLY, START, keyed(key));
    List<HttpResponse<String>> answers = atOnce(8, i -> application.post("/recurring-rules", body));
    Set<String> ids = new HashSet<>();
    answers.forEach(each -> ids.add(RunningApplication.json(each).path("ruleId").asString()));
    assertThat(ids).hasSize(1);
    assertThat(answers)
        .extracting(HttpResponse::statusCode)
        .containsExactlyInAnyOrder(201, 200, 200, 200, 200, 200, 200, 200);
    assertThat(application.rules().countDocuments()).isEqualTo(1);
    assertThat(application.eventTypes(ids.iterator().next())).containsExactly("RuleCreatedEvent");
  }

  @Test
  void eachRequestWithoutAKeyCreatesARule() throws Exception {
    String first = application.create(MONTHLY, START, "");
    String second = application.create(MONTHLY, START, "");
    assertThat(second).isGreaterThan(first);
    assertThat(application.rules().countDocuments()).isEqualTo(2);
  }

  @Test
  void theLifeOfARule() throws Exception {
    String id = application.create(MONTHLY, START, "");
    String path = "/recurring-rules/" + id;
    JsonNode paused =
        RunningApplication.json(
            application.post(
                path + "/pause",
                "{\"reason\":\"Urlop bezpłatny\",\"scheduledResumeDate\":\"2028-04-01\"}"));
    assertThat(paused.path("status").asString()).isEqualTo("PAUSED");
    assertThat(paused.path("pauseInfo").path("scheduledResumeDate").asString())
        .isEqualTo("2028-04-01");
    problem(application.post(path + "/pause", "{}"), 409, "status", "PAUSED");
    assertThat(application.post(path + "/resume", "").statusCode()).isEqualTo(200);
    problem(application.post(path + "/resume", ""), 409, "status", "ACTIVE");
    JsonNode changed =
        RunningApplication.json(
            application.post(
                path + "/amount-changes",
                "{\"effectiveDate\":\"2028-06-10\",\"type\":\"ONE_TIME\",\"reason\":\"Premia\","
                    + "\"newAmount\":{\"amount\":18500,\"currency\":\"PLN\"}}"));
    String change = changed.path("amountChanges").path(0).path("changeId").asString();
    assertThat(change).matches("AC\\d{8}");
    assertThat(application.delete(path + "/amount-changes/" + change).statusCode()).isEqualTo(200);
    problem(application.delete(path + "/amount-changes/" + change), 404, "changeId", "nothing");
    assertThat(application.delete(path).statusCode()).isEqualTo(204);
    problem(application.delete(path), 409, "status", "DELETED");
    problem(application.put(path, update(5, "x")), 409, "status", "DELETED");
    assertThat(application.eventTypes(id))
        .containsExactly(
            "RuleCreatedEvent",
            "RulePausedEvent",
            "RuleResumedEvent",
            "AmountChangeAddedEvent",
            "AmountChangeRemovedEvent",
            "RuleDeletedEvent");
    assertThat(application.rule(id).getLong("version")).isEqualTo(5);
  }

  @Test
  void anUpdateOfAnOldVersionIsRefused() throws Exception {
    String id = application.create(MONTHLY, START, "");
    HttpResponse<String> first = application.put("/recurring-rules/" + id, update(0, "Pensja"));
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(RunningApplication.json(first).path("version").asLong()).isEqualTo(1);
    problem(
        application.put("/recurring-rules/" + id, update(0, "Late")), 409, "version", "any more");
    assertThat(application.rule(id).getString("name")).isEqualTo("Pensja");
    assertThat(application.eventTypes(id)).containsExactly("RuleCreatedEvent", "RuleUpdatedEvent");
  }

  @Test
  void onlyOneOfManyUpdatesOfAVersionIsStored() throws Exception {
    String id = application.create(MONTHLY, START, "");
    List<HttpResponse<String>> answers =
        atOnce(6, i -> application.put("/recurring-rules/" + id, update(0, "name " + i)));
    assertThat(answers)
        .extracting(HttpResponse::statusCode)
        .containsExactlyInAnyOrder(200, 409, 409, 409, 409, 409);
    assertThat(application.rule(id).getLong("version")).isEqualTo(1);
    assertThat(application.eventTypes(id)).containsExactly("RuleCreatedEvent", "RuleUpdatedEvent");
  }

  /** Changes without an expected version are made one after the other, and none is lost. */
  @Test
  void concurrentAmountChangesAreAllStored() throws Exception {
    String id = application.create(DAILY, START, "");
    List<HttpResponse<String>> answers =
        atOnce(
            6,
            i ->
                application.post(
                    "/recurring-rules/" + id + "/amount-changes",
                    "{\"effectiveDate\":\"2028-02-0%d\",\"type\":\"ONE_TIME\",".formatted(i + 1)
                        + "\"newAmount\":{\"amount\":1,\"currency\":\"PLN\"}}"));
    assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(201);
    assertThat(application.rule(id).getList("amountChanges", Document.class)).hasSize(6);
    assertThat(application.events(id)).hasSize(7);
  }

  @Test
  void listsArePagedWithTheNewestFirst() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      application.at("2028-01-05T10:3%d:00Z".formatted(i));
      ids.add(application.create(MONTHLY, START, ""));
    }
    assertThat(application.delete("/recurring-rules/" + ids.get(0)).statusCode()).isEqualTo(204);
    assertThat(application.post("/recurring-rules/" + ids.get(1) + "/pause", "{}").statusCode())
        .isEqualTo(200);
    assertThat(listed("")).containsExactly(ids.get(2), ids.get(1));
    assertThat(listed("&size=1&page=1")).containsExactly(ids.get(1));
    assertThat(listed("&status=PAUSED")).containsExactly(ids.get(1));
    assertThat(listed("&status=DELETED&status=PAUSED")).containsExactly(ids.get(1), ids.get(0));
    assertThat(
            RunningApplication.json(application.get("/users/U10000001/recurring-rules/count"))
                .path("active")
                .asLong())
        .isEqualTo(1);
  }

  private List<String> listed(String more) throws Exception {
    List<String> ids = new ArrayList<>();
    RunningApplication.json(application.get("/recurring-rules?cashFlowId=CF10000001" + more))
        .path("rules")
        .forEach(each -> ids.add(each.path("ruleId").asString()));
    return ids;
  }

  @Test
  void aCategoryIsRenamedAndRemovedInAllItsRules() throws Exception {
    String one = application.create(MONTHLY, START, "");
    String deleted = application.create(MONTHLY, START, "");
    assertThat(application.delete("/recurring-rules/" + deleted).statusCode()).isEqualTo(204);
    String path = "/cash-flows/CF10000001/categories/";
    assertThat(application.put(path + "Salary", "{\"newName\":\"Income\"}").body())
        .isEqualTo("{\"rules\":1}");
    assertThat(application.rule(one).getString("categoryName")).isEqualTo("Income");
    assertThat(application.rule(deleted).getString("categoryName")).isEqualTo("Salary");
    assertThat(application.delete(path + "Income").body()).isEqualTo("{\"rules\":1}");
    assertThat(application.delete(path + "Income").body()).isEqualTo("{\"rules\":0}");
    assertThat(application.rule(one).getString("categoryName")).isEqualTo("Uncategorized");
    assertThat(application.eventTypes(one))
        .containsExactly(
            "RuleCreatedEvent", "RuleCategoryRenamedEvent", "RuleCategoryRemovedEvent");
    problem(application.put(path + "Salary", "{}"), 400, "categoryName", "is missing");
  }

  @Test
  void anotherRuleWithAUsedKeyIsRefused() throws Exception {
    String daily = "{\"type\":\"DAILY\"}";
    String key = "\"idempotencyKey\":\"reused\"";
    String id = application.create(daily, "2028-01-10", key);
    String spelled = "{\"intervalDays\":1,\"type\":\"DAILY\"}";
    HttpResponse<String> again =
        application.post("/recurring-rules", RunningApplication.body(spelled, "2028-01-10", key));
    assertThat(again.statusCode()).as("the same rule, written differently").isEqualTo(200);
    assertThat(RunningApplication.json(again).path("ruleId").asString()).isEqualTo(id);
    String other = "{\"type\":\"DAILY\",\"intervalDays\":2}";
    problem(
        application.post("/recurring-rules", RunningApplication.body(other, "2028-01-10", key)),
        409,
        "idempotencyKey",
        "another rule");
    assertThat(application.rules().countDocuments()).isEqualTo(1);
  }

  /** Refused before a change, because a client repeats a request after 406. */
  @Test
  void aClientThatDoesNotAcceptJsonIsRefusedAndNothingIsStored() throws Exception {
    String body = RunningApplication.body("{\"type\":\"DAILY\"}", "2028-01-10", "");
    problem(
        application.postAccepting("application/xml", "/recurring-rules", body),
        406,
        "Accept",
        "application/json");
    assertThat(application.rules().countDocuments()).isZero();
    assertThat(application.postAccepting("*/*", "/recurring-rules", body).statusCode())
        .isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "cashFlowId":"X1"                                       | cashFlowId        | CF10000001
          "cashFlowId":null                                       | cashFlowId        | is missing
          "cashFlowId":7.5                                        | cashFlowId        | CF10000001
          "userId":"10000001"                                     | userId            | U10000001
          "name":" "                                              | name              | is missing
          "name":"a\\u0000b"                                      | name              | control
          "name":"a\\ud800b"                                      | name              | surrogate
          "categoryName":null                                     | categoryName      | is missing
          "type":"SIDEWAYS"                                       | type              | INFLOW
          "type":null                                             | type              | is missing
          "baseAmount":null                                       | baseAmount        | is missing
          "baseAmount":{"amount":-1,"currency":"PLN"}             | amount            | positive
          "baseAmount":{"amount":"much","currency":"PLN"}         | amount            | cannot be read
          "baseAmount":{"amount":1e2147483647,"currency":"PLN"}   | amount            | digits
          "baseAmount":{"amount":0.00001,"currency":"PLN"}        | amount            | digits
          "baseAmount":{"amount":1,"currency":"zloty"}            | currency          | three capital letters
          "baseAmount":7                                          | baseAmount        | cannot be read
          "recurrencePattern":null                                | recurrencePattern | is missing
          "recurrencePattern":{}                                  | type              | is missing
          "recurrencePattern":{"type":"HOURLY"}                   | type              | DAILY
          "recurrencePattern":{"type":"DAILY","intervalDays":0}   | intervalDays      | from 1 to 365
          "recurrencePattern":{"type":"DAILY","intervalDays":1.9} | intervalDays      | cannot be read
          "recurrencePattern":{"type":"DAILY","intervalDays":""}  | intervalDays      | cannot be read
          "recurrencePattern":{"type":"DAILY","intervalDays":"2"} | intervalDays      | cannot be read
          "recurrencePattern":{"type":"MONTHLY","dayOfMonth":10.7} | dayOfMonth       | cannot be read
          "recurrencePattern":{"type":"MONTHLY","dayOfMonth":1,"adjustForMonthEnd":1} | adjustForMonthEnd | cannot be read
          "recurrencePattern":{"type":"DAILY","month":2}          | month             | not for type DAILY
          "recurrencePattern":{"type":"WEEKLY"}                   | dayOfWeek         | is missing
          "recurrencePattern":{"type":"MONTHLY"}                  | dayOfMonth        | is missing
          "recurrencePattern":{"type":"MONTHLY","dayOfMonth":32}  | dayOfMonth        | from 1 to 31
          "recurrencePattern":{"type":"YEARLY","month":2,"dayOfMonth":30} | dayOfMonth | from 1 to 29
          "startDate":"tomorrow"                                  | startDate         | 2026-01-31
          "startDate":"2028-02-30"                                | startDate         | 2026-01-31
          "startDate":"2020-01-01"                                | startDate         | from 2027-01-05
          "endDate":"2028-01-09"                                  | endDate           | from 2028-01-10
          "endDate":5                                             | endDate           | 2026-01-31
          "idempotencyKey":" "                                    | idempotencyKey    | is missing
          "surprise":1                                            | surprise          | is not known
          """)
  void badInputIsAProblemWithFieldAndReasonAndNothingIsStored(
      String instead, String field, String reason) throws Exception {
    String given = RunningApplication.body(MONTHLY, START, "");
    String name = instead.substring(1, instead.indexOf('"', 1));
    Document body = Document.parse(given);
    String rest = given;
    if (body.containsKey(name)) {
      body.remove(name);
      rest = body.toJson();
    }
    String bad = rest.strip().substring(0, rest.strip().length() - 1) + "," + instead + "}";
    refusedEverywhere(bad, field, reason);
  }

  @Test
  void textsThatAreTooLongAreRefused() throws Exception {
    refusedEverywhere(
        RunningApplication.body(MONTHLY, START, "").replace("Wynagrodzenie", "n".repeat(101)),
        "name",
        "at most 100");
    refusedEverywhere(
        RunningApplication.body(MONTHLY, START, "").replace("Pensja", "d".repeat(501)),
        "description",
        "at most 500");
    refusedEverywhere(
        RunningApplication.body(MONTHLY, START, "").replace("Salary", "c".repeat(101)),
        "categoryName",
        "at most 100");
    refusedEverywhere("nonsense", "body", "JSON");
    refusedEverywhere("[]", "body", "JSON");
    refusedEverywhere("", "body", "JSON");
    // The length as MongoDB counts it, which differs from Java.
    String smiles = "\uD83D\uDE00".repeat(100);
    String id =
        RunningApplication.json(
                application.post(
                    "/recurring-rules",
                    RunningApplication.body(MONTHLY, START, "").replace("Wynagrodzenie", smiles)))
            .path("ruleId")
            .asString();
    assertThat(application.rule(id).getString("name")).isEqualTo(smiles);
  }

  private void refusedEverywhere(String body, String field, String reason) throws Exception {
    long rules = application.rules().countDocuments();
    long events = application.bean(OutboxRepository.class).count();
    problem(application.post("/recurring-rules", body), 400, field, reason);
    assertThat(application.rules().countDocuments()).isEqualTo(rules);
    assertThat(application.bean(OutboxRepository.class).count()).isEqualTo(events);
  }

  @Test
  void otherRequestsAreRefusedWithTheirField() throws Exception {
    String id = application.create(MONTHLY, START, "");
    String path = "/recurring-rules/" + id;
    problem(application.get("/recurring-rules/RR99999999"), 404, "ruleId", "nothing");
    problem(application.get("/recurring-rules/nonsense"), 400, "ruleId", "RR10000001");
    problem(
        application.put("/recurring-rules/RR99999999", update(0, "x")), 404, "ruleId", "nothing");
    problem(
        application.put(path, update(0, "x").replace("\"version\":0,", "")),
        400,
        "version",
        "missing");
    problem(application.put(path, update(0, "x").replace("PLN", "EUR")), 400, "currency", "in PLN");
    problem(
        application.post(path + "/pause", "{\"scheduledResumeDate\":\"2028-01-05\"}"),
        400,
        "scheduledResumeDate",
        "after today");
    problem(
        application.post(path + "/pause", "{\"reason\":\"" + "r".repeat(501) + "\"}"),
        400,
        "reason",
        "at most 500");
    problem(application.post(path + "/amount-changes", "{}"), 400, "effectiveDate", "missing");
    problem(
        application.post(
            path + "/amount-changes",
            "{\"effectiveDate\":\"2028-06-11\",\"type\":\"ONE_TIME\",\"newAmount\":{\"amount\":1,\"currency\":\"PLN\"}}"),
        400,
        "effectiveDate",
        "no date of the rule");
    problem(application.delete(path + "/amount-changes/AC1"), 400, "changeId", "AC10000001");
    problem(application.get("/recurring-rules"), 400, "cashFlowId", "missing");
    problem(
        application.get("/recurring-rules?cashFlowId=CF1&status=GONE"), 400, "status", "ACTIVE");
    problem(application.get("/recurring-rules?cashFlowId=CF1&size=1000"), 400, "size", "1 to 100");
    problem(
        application.get("/recurring-rules?cashFlowId=CF1&page=x"), 400, "page", "cannot be read");
    problem(application.get("/users/nobody/recurring-rules/count"), 400, "userId", "U10000001");
    problem(
        application.post("/executions/run", "{\"date\":\"2028-01-06\"}"), 400, "date", "future");
    problem(application.post("/executions/recovery", "{}"), 400, "hoursBack", "missing");
    problem(
        application.post("/executions/recovery", "{\"hoursBack\":0}"), 400, "hoursBack", "from 1");
    problem(application.put("/cash-flow-service", "{}"), 400, "available", "missing");
    problem(
        application.send("POST", "/recurring-rules", "text/plain", "{}"),
        415,
        "Content-Type",
        "application/json");
    assertThat(application.rule(id).getLong("version")).isZero();
    assertThat(application.eventTypes(id)).containsExactly("RuleCreatedEvent");
  }

  private static String keyed(String key) {
    return "\"idempotencyKey\":\"" + key + "\"";
  }

  private static String update(long version, String name) {
    return """
    {"version":%d,"name":"%s","baseAmount":{"amount":9500,"currency":"PLN"},"categoryName":"Salary",
     "recurrencePattern":{"type":"MONTHLY","dayOfMonth":10}}
    """
        .formatted(version, name);
  }

  private static void problem(
      HttpResponse<String> response, int status, String field, String reason) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type"))
        .get()
        .asString()
        .contains("application/problem+json");
    JsonNode problem = RunningApplication.json(response);
    assertThat(problem.path("field").asString()).isEqualTo(field);
    assertThat(problem.path("reason").asString()).contains(reason);
  }

  private interface Call {
    HttpResponse<String> of(int i) throws Exception;
  }

  private static List<HttpResponse<String>> atOnce(int clients, Call call) throws Exception {
    CyclicBarrier together = new CyclicBarrier(clients);
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      List<Future<HttpResponse<String>>> pending = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int n = i;
        pending.add(
            threads.submit(
                () -> {
                  together.await();
                  return call.of(n);
                }));
      }
      List<HttpResponse<String>> answers = new ArrayList<>();
      for (Future<HttpResponse<String>> each : pending) {
        answers.add(each.get());
      }
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }
}
