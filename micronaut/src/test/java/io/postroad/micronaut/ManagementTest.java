package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.servers.PostgresServer;
import io.postroad.transaction.Transactions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Health and meters, as they are asked for over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManagementTest {
  private static final Path METERS = Path.of("..", "docs", "reference", "meters.md");
  private static final Pattern ROW = Pattern.compile("^\\| `[a-z.]+` \\| `([a-z_]+)`");

  private String url;
  private ApplicationContext context;
  private EmbeddedServer server;

  @BeforeAll
  void start() {
    url = PostgresServer.shared().createDatabase("micronaut_management");
    context =
        Apps.with(
                Apps.postgres(url),
                Beans.ASKED,
                "sender,greeter",
                "micronaut.application.name",
                "orders",
                "micronaut.server.port",
                -1,
                "micronaut.metrics.enabled",
                true,
                "endpoints.health.details-visible",
                "ANONYMOUS",
                "endpoints.prometheus.sensitive",
                false,
                "postroad.health.max-pending",
                2)
            .start();
    server = context.getBean(EmbeddedServer.class).start();
  }

  @AfterAll
  void stop() {
    context.close();
  }

  @Test
  void aScrapeListsTheDocumentedMeters() throws Exception {
    append("Counted");
    String scrape = get("/prometheus").body();
    List<String> documented =
        Files.readAllLines(METERS).stream()
            .map(ROW::matcher)
            .filter(Matcher::find)
            .map(row -> row.group(1))
            .toList();

    assertThat(documented).hasSizeGreaterThan(30);
    assertThat(documented).allSatisfy(name -> assertThat(scrape).contains("\n" + name));
    assertThat(scrape)
        .contains(
            "outbox_new_total{destination=\"payments\",outbox=\"orders\",type=\"Counted\"} 1.0");
  }

  @Test
  void healthIsUpAndSaysWhenItIsDegraded() throws Exception {
    JsonNode healthy = health();
    assertThat(healthy.path("status").asText()).isEqualTo("UP");
    JsonNode ours = healthy.path("details").path("postroad");
    assertThat(ours.path("status").asText()).isEqualTo("UP");
    assertThat(ours.path("details").path("degraded").asBoolean(true)).isFalse();

    OutboxRelay relay = context.getBean(OutboxRelay.class);
    relay.stop();
    try {
      for (int i = 0; i < 3; i++) {
        append("Waiting");
      }
      JsonNode degraded = health();
      assertThat(degraded.path("status").asText()).isEqualTo("UP");
      assertThat(degraded.path("details").path("postroad").path("details").path("reasons"))
          .anySatisfy(reason -> assertThat(reason.asText()).contains("the relay is not running"))
          .anySatisfy(
              reason -> assertThat(reason.asText()).contains("postroad.health.max-pending=2"));
    } finally {
      relay.start();
    }
  }

  /** What is asked of a database that is gone, in an application of its own. */
  @Test
  void healthIsDownWhenNothingCanBeStored() throws Exception {
    String gone = PostgresServer.shared().createDatabase("micronaut_gone");
    try (ApplicationContext other =
            Apps.with(
                    Apps.postgres(gone),
                    Beans.ASKED,
                    "sender",
                    "micronaut.server.port",
                    -1,
                    "endpoints.health.details-visible",
                    "ANONYMOUS",
                    "endpoints.health.jdbc.enabled",
                    false,
                    "datasources.default.connection-timeout",
                    1_000)
                .start();
        EmbeddedServer running = other.getBean(EmbeddedServer.class).start()) {
      String name = gone.substring(gone.lastIndexOf('/') + 1).replaceAll("[?].*", "");
      TestPostgres.execute(url, "DROP DATABASE \"%s\" WITH (FORCE)".formatted(name));

      HttpResponse<String> answer = get(running, "/health");

      assertThat(answer.statusCode()).isEqualTo(503);
      JsonNode health = new ObjectMapper().readTree(answer.body());
      assertThat(health.path("status").asText()).isEqualTo("DOWN");
      assertThat(health.path("details").path("postroad").path("status").asText()).isEqualTo("DOWN");
    }
  }

  private void append(String type) {
    Outbox<?> outbox = context.getBean(Outbox.class);
    ((MicronautJdbcTransactions) context.getBean(Transactions.class))
        .run(
            transaction -> {
              var unused = outbox.append(Message.event(type).to("payments").json("{}").build());
            });
  }

  private JsonNode health() throws Exception {
    return new ObjectMapper().readTree(get("/health").body());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return get(server, path);
  }

  private static HttpResponse<String> get(EmbeddedServer server, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.getURL() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
