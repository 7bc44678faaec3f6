package io.postroad.example.payments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.runtime.server.EmbeddedServer;
import io.postroad.process.ProcessStatus;
import io.postroad.servers.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * The whole application on a new database and the shared Artemis, started once for all tests, which
 * use their own ids.
 */
public final class RunningApplication {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String url = PostgresServer.shared().createDatabase("payments");
  private final ApplicationContext context = ApplicationContext.run(TestServers.variables(url));
  private final EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
  private final HttpClient http = HttpClient.newHttpClient();

  private RunningApplication() {}

  public static RunningApplication shared() {
    return Shared.APPLICATION;
  }

  private static final class Shared {
    static final RunningApplication APPLICATION = new RunningApplication();
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public <T> T bean(Argument<T> type) {
    return context.getBean(type);
  }

  public HttpResponse<String> post(String path, String body) throws Exception {
    return post(path, "application/json", body);
  }

  public HttpResponse<String> post(String path, String contentType, String body) throws Exception {
    return send(
        path,
        request ->
            request
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> get(String path) throws Exception {
    return send(path, HttpRequest.Builder::GET);
  }

  /** Sends a request that the caller builds. */
  public HttpResponse<String> send(String path, UnaryOperator<HttpRequest.Builder> with)
      throws Exception {
    return http.send(
        with.apply(HttpRequest.newBuilder(URI.create(server.getURL() + path))).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  public static JsonNode json(HttpResponse<String> response) throws Exception {
    return JSON.readTree(response.body());
  }

  public ProcessStatus ended(HttpResponse<String> accepted) throws Exception {
    if (accepted.statusCode() != 202) {
      throw new AssertionError(accepted.statusCode() + " " + accepted.body());
    }
    return bean(Endings.class).await(UUID.fromString(json(accepted).path("processId").textValue()));
  }

  /** Opens an account in USD with this balance. */
  public UUID account(double balance) throws Exception {
    UUID accountId = opened("\"limitBased\":false");
    if (balance > 0) {
      HttpResponse<String> deposit =
          post("/accounts/" + accountId + "/deposits", "{\"amount\":" + balance + "}");
      if (deposit.statusCode() != 201) {
        throw new AssertionError(deposit.body());
      }
    }
    return accountId;
  }

  /** Opens an account in USD with an overdraft limit. */
  public UUID limitedAccount(double limit) throws Exception {
    return opened(
        "\"limitBased\":true,\"limits\":[{\"transactionType\":\"DEBIT\",\"amount\":%s}]"
            .formatted(limit));
  }

  private UUID opened(String rest) throws Exception {
    HttpResponse<String> accepted =
        post(
            "/accounts",
            """
            {"customerId":"%s","currencyCode":"USD","accountType":"CHECKING",
             "transitNumber":"001",%s}
            """
                .formatted(UUID.randomUUID(), rest));
    if (ended(accepted) != ProcessStatus.SUCCEEDED) {
      throw new AssertionError("not opened: " + accepted.body());
    }
    return UUID.fromString(json(accepted).path("accountId").textValue());
  }

  /** Requests a payment from an account in USD. */
  public HttpResponse<String> pay(
      UUID paymentId, UUID accountId, double debit, double credit, String currency)
      throws Exception {
    return post(
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

  /** Returns the columns of all rows as texts. */
  public List<List<String>> query(String sql) throws SQLException {
    return query(url, sql);
  }

  static List<List<String>> query(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<List<String>> all = new ArrayList<>();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(rows.getString(i)));
        }
        all.add(row);
      }
      return all;
    }
  }

  public void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public long count(String from) throws SQLException {
    return Long.parseLong(query("SELECT count(*) FROM " + from).get(0).get(0));
  }
}
