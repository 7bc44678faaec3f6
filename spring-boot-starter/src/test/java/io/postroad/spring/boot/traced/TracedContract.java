package io.postroad.spring.boot.traced;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.trace.data.SpanData;
import io.postroad.micrometer.PostroadMeter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A running web application on a port of its own; the same on both databases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TracedContract {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private final HttpClient http = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext application;

  TracedContract(String[] database, String... more) {
    application =
        new SpringApplicationBuilder(TracedApplication.class)
            .properties(database)
            .properties(
                "spring.application.name=places",
                "spring.main.banner-mode=off",
                "server.port=0",
                "postroad.relay.transport=local",
                "management.endpoints.web.exposure.include=prometheus,health,postroad",
                "management.endpoint.health.show-components=always",
                "management.tracing.sampling.probability=1.0")
            .properties(more)
            .run("--spring.main.web-application-type=servlet");
  }

  @AfterAll
  void stop() {
    application.close();
  }

  @Test
  void oneTraceGoesFromTheRequestThroughTheProcessToTheHandlerOfItsEvent() throws Exception {
    HttpRequest request =
        to("/places/rome")
            .header("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(http.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);

    List<String> flow =
        List.of(
            "http post /places/{name}",
            "process Build",
            "create places",
            "send places",
            "process places");
    List<SpanData> spans = application.getBean(EndedSpans.class).await(flow);

    assertThat(spans)
        .filteredOn(span -> flow.contains(span.getName()))
        .extracting(SpanData::getTraceId)
        .containsOnly(TRACE);
    assertThat(spans)
        .filteredOn(span -> span.getName().equals("send places"))
        .extracting(EndedSpans::systemOf)
        .as("without a broker, though there are connections to one")
        .containsOnly("postroad");
  }

  @Test
  void prometheusFindsEveryMeterThatIsDocumented() throws Exception {
    HttpResponse<String> scrape =
        http.send(to("/actuator/prometheus").GET().build(), BodyHandlers.ofString());

    assertThat(scrape.statusCode()).isEqualTo(200);
    assertThat(PostroadMeter.values()).hasSizeGreaterThan(40);
    for (PostroadMeter meter : PostroadMeter.values()) {
      assertThat(scrape.body()).contains("\n# TYPE " + meter.prometheusName() + " ");
    }
    assertThat(scrape.body()).contains("outbox=\"places\"").contains("outbox=\"places-retry\"");
  }

  @Test
  void healthAndTheRetryLineAreThereOverHttp() throws Exception {
    assertThat(body("/actuator/health/postroad")).contains("\"status\":\"UP\"");
    assertThat(body("/actuator/postroad")).contains("\"retries\":{");
    assertThat(body("/actuator/postroad/retries/dead-letters")).contains("\"dead-letters\":[]");
    assertThat(body("/actuator/postroad/dead-letters")).contains("\"dead-letters\":[]");
  }

  private String body(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(to(path).GET().build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
    return response.body();
  }

  private HttpRequest.Builder to(String path) {
    String port = application.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }
}
