package io.postroad.example.payments.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** The application in its own process, and the requests of this example. */
record Service(Application application) implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "COMPENSATED", "FAILED");

  /** Starts the application and waits until it answers. */
  static Service start(Servers servers, int port) {
    return start(servers, port, line -> {});
  }

  /**
   * Starts the application and waits until it answers.
   *
   * @param told receives each line that it prints until then
   */
  static Service start(Servers servers, int port, Consumer<String> told) {
    ChildJvmOptions options =
        ChildJvmOptions.of(io.postroad.example.payments.Application.class)
            .withJvmArgs("-Xmx384m", "-XX:TieredStopAtLevel=1");
    for (Map.Entry<String, String> each : servers.environment().entrySet()) {
      options = options.withEnvironment(each.getKey(), each.getValue());
    }
    return new Service(Application.start(options, port, "Startup completed", told));
  }

  /** Opens an account in USD and deposits money; returns when it is booked. */
  UUID account(BigDecimal balance, Duration within) throws IOException, InterruptedException {
    UUID accountId = open("\"limitBased\":false", within);
    HttpResponse<String> deposit =
        application.post("/accounts/" + accountId + "/deposits", "{\"amount\":" + balance + "}");
    if (deposit.statusCode() != 201) {
      throw new IOException("deposit: " + deposit.statusCode() + " " + deposit.body());
    }
    return accountId;
  }

  /** Opens an account in USD with an overdraft limit. */
  UUID limitedAccount(BigDecimal limit, Duration within) throws IOException, InterruptedException {
    return open(
        "\"limitBased\":true,\"limits\":[{\"transactionType\":\"DEBIT\",\"amount\":%s}]"
            .formatted(limit),
        within);
  }

  private UUID open(String rest, Duration within) throws IOException, InterruptedException {
    HttpResponse<String> accepted =
        application.post(
            "/accounts",
            """
            {"customerId":"%s","currencyCode":"USD","accountType":"CHECKING",
             "transitNumber":"001",%s}
            """
                .formatted(UUID.randomUUID(), rest));
    if (!status(accepted, within).equals("SUCCEEDED")) {
      throw new IOException("open: " + accepted.statusCode() + " " + accepted.body());
    }
    return UUID.fromString(JSON.readTree(accepted.body()).path("accountId").asText());
  }

  /** Requests a payment from an account in USD. */
  HttpResponse<String> pay(
      UUID paymentId, UUID accountId, BigDecimal debit, BigDecimal credit, String currency)
      throws IOException, InterruptedException {
    return application.post(
        "/payments",
        """
        {"paymentId":"%s","debitAccountId":"%s",
         "debitAmount":{"amount":%s,"currencyCode":"USD"},
         "creditAmount":{"amount":%s,"currencyCode":"%s"},
         "valueDate":"2026-11-30",
         "beneficiary":{"name":"Ada","accountNumber":"DE1","transitNumber":"002"}}
        """
            .formatted(paymentId, accountId, debit, credit, currency));
  }

  /** Returns the final status of a started process, or its status when the time is over. */
  String status(HttpResponse<String> accepted, Duration within)
      throws IOException, InterruptedException {
    if (accepted.statusCode() != 202) {
      return accepted.statusCode() + " " + accepted.body();
    }
    String path = "/processes/" + JSON.readTree(accepted.body()).path("processId").asText();
    try {
      boolean unused = Await.<Exception>until(() -> ENDED.contains(statusAt(path)), within);
    } catch (IOException | InterruptedException gone) {
      throw gone;
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
    return statusAt(path);
  }

  private String statusAt(String path) throws IOException, InterruptedException {
    return get(path).path("status").asText();
  }

  BigDecimal balance(UUID accountId) throws IOException, InterruptedException {
    return new BigDecimal(get("/accounts/" + accountId).path("availableBalance").asText());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return JSON.readTree(application.get(path).body());
  }

  @Override
  public void close() {
    application.close();
  }
}
