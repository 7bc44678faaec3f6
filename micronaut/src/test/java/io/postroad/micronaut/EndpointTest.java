package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.server.EmbeddedServer;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.Incoming;
import io.postroad.inbox.PermanentFailure;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code /postroad} and the retry line in {@code /health}, as they are asked for over HTTP. */
class EndpointTest {
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** Starts an application without a relay, unless more says so, and with a refusing handler. */
  private EmbeddedServer app(Object... more) {
    Map<String, Object> properties = new HashMap<>(Apps.freshPostgres("micronaut_endpoint"));
    properties.put(Beans.ASKED, "sender,refusing");
    properties.put("micronaut.server.port", -1);
    properties.put("postroad.relay.enabled", false);
    properties.put("endpoints.health.details-visible", "ANONYMOUS");
    ApplicationContext context = Apps.with(properties, more).start();
    open.add(context);
    return context.getBean(EmbeddedServer.class).start();
  }

  @Test
  void itCannotBeReachedUnlessTheApplicationSaysSo() throws Exception {
    assertThat(get(app(), "/postroad").statusCode()).isEqualTo(401);
    assertThat(get(app("endpoints.postroad.enabled", false), "/postroad").statusCode())
        .isEqualTo(404);
  }

  @Test
  void itShowsHowTheOutboxStandsAndItsLists() throws Exception {
    EmbeddedServer server = app("endpoints.postroad.sensitive", false);
    append(server, "A");

    JsonNode overview = json(get(server, "/postroad"));
    assertThat(overview.path("pending").asInt()).isEqualTo(1);
    assertThat(overview.path("dead").asInt()).isZero();
    assertThat(overview.path("retries").path("dead").isNumber()).isTrue();
    for (String list : List.of("dead-letters", "parked-keys", "paused", "audit")) {
      assertThat(json(get(server, "/postroad/" + list)).path(list)).as(list).isEmpty();
    }
    HttpResponse<String> unknown = get(server, "/postroad/everything");
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("dead-letters, parked-keys, paused, audit");
  }

  @Test
  void changesAreOffUnlessSwitchedOn() throws Exception {
    EmbeddedServer server = app("endpoints.postroad.sensitive", false);
    HttpResponse<String> refused =
        post(server, "/postroad/pause", "{\"destination\":\"things\",\"reason\":\"a test\"}");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("postroad.endpoint.writes-enabled");
    assertThat(json(get(server, "/postroad")).path("paused")).isEmpty();
  }

  @Test
  void changesAreAudited() throws Exception {
    EmbeddedServer server =
        app("endpoints.postroad.sensitive", false, "postroad.endpoint.writes-enabled", true);
    String moves = "{\"destination\":\"things\",\"reason\":\"the broker moves\"}";

    assertThat(post(server, "/postroad/pause", moves).statusCode()).isEqualTo(200);
    assertThat(json(get(server, "/postroad")).path("paused").get(0).path("destination").asText())
        .isEqualTo("things");
    assertThat(post(server, "/postroad/resume", moves).statusCode()).isEqualTo(200);

    JsonNode audit = json(get(server, "/postroad/audit")).path("audit");
    assertThat(audit).hasSize(2);
    assertThat(audit.get(0).path("by").asText()).isEqualTo("management (not logged in)");
    assertThat(audit.get(0).path("reason").asText()).isEqualTo("the broker moves");
    assertRefused(post(server, "/postroad/resume", moves), "is not paused");
    assertRefused(post(server, "/postroad/replay", "{\"reason\":\"?\"}"), "id is missing");
    assertRefused(post(server, "/postroad/pause", "{\"destination\":\"a\"}"), "reason is missing");
    assertRefused(post(server, "/postroad/dance", moves), "replay, skip, discard, pause");
  }

  @Test
  void aDeadLetterOfTheRetryLineIsInHealthAndIsDiscardedByTheEndpoint() throws Exception {
    EmbeddedServer server =
        app(
            "endpoints.postroad.sensitive",
            false,
            "postroad.endpoint.writes-enabled",
            true,
            "postroad.relay.enabled",
            true);
    assertThat(health(server).path("degraded").asBoolean(true)).isFalse();
    receivePoison(server);

    assertThat(health(server).path("retries").path("dead").asInt()).isEqualTo(1);
    assertThat(health(server).path("reasons").toString())
        .containsPattern("in the retry line: [^\"]*dead");
    HttpResponse<String> list = get(server, "/postroad/retries/dead-letters");
    assertThat(list.body()).contains("Poison").doesNotContain("secret");
    String id = json(list).path("dead-letters").get(0).path("id").asText();
    String decision = "{\"id\":\"%s\",\"reason\":\"not for us\"}".formatted(id);

    assertThat(post(server, "/postroad/discard", decision).statusCode())
        .as("it is no dead letter of the outbox")
        .isEqualTo(400);
    assertThat(post(server, "/postroad/retries/discard", decision).statusCode()).isEqualTo(200);
    assertThat(json(get(server, "/postroad")).path("retries").path("dead").asInt()).isZero();
    assertRefused(get(server, "/postroad/returns/audit"), "the retry line is at 'retries'");
  }

  @Test
  void theRetryLineHasMetersOfItsOwn() throws Exception {
    EmbeddedServer server =
        app(
            "micronaut.application.name",
            "orders",
            "micronaut.metrics.enabled",
            true,
            "endpoints.prometheus.sensitive",
            false);
    receivePoison(server);

    assertThat(get(server, "/prometheus").body())
        .containsPattern("outbox_failed_total\\{[^}]*outbox=\"orders-retry\"[^}]*\\} 1.0")
        .containsPattern("outbox_pending_events\\{[^}]*outbox=\"orders-retry\"");
  }

  private static void assertRefused(HttpResponse<String> answer, String text) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(text);
  }

  private static void receivePoison(EmbeddedServer server) {
    Inbox<?> inbox = server.getApplicationContext().getBean(Inbox.class);
    Message poison =
        Message.event("Poison").to("things").key("k").json("{\"pin\":\"secret\"}").build();
    assertThat(inbox.receive(Incoming.of(poison), () -> false)).isTrue();
    inbox.stop();
    inbox.runOnce();
  }

  private static void append(EmbeddedServer server, String type) {
    Outbox<?> outbox = server.getApplicationContext().getBean(Outbox.class);
    ((MicronautJdbcTransactions) server.getApplicationContext().getBean(Transactions.class))
        .run(
            transaction -> {
              var unused = outbox.append(Message.event(type).to("things").json("{}").build());
            });
  }

  private static JsonNode health(EmbeddedServer server) throws Exception {
    return json(get(server, "/health")).path("details").path("postroad").path("details");
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }

  private static HttpResponse<String> get(EmbeddedServer server, String path) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(server.getURL() + path)).GET());
  }

  private static HttpResponse<String> post(EmbeddedServer server, String path, String body)
      throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(server.getURL() + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Factory
  @Requires(property = Beans.ASKED, pattern = ".*refusing.*")
  static class Refusing {
    @Singleton
    Handlers<Connection> refusing() {
      return Handlers.<Connection>builder()
          .onAny(
              "things",
              "billing",
              (message, context) -> {
                throw new PermanentFailure("no such thing");
              })
          .build();
    }
  }
}
