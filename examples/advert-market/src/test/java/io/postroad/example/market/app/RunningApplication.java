package io.postroad.example.market.app;

import io.postroad.example.market.MarketApplication;
import io.postroad.example.market.shared.outbox.OutboxPublisher;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application on its own port and the shared servers; one instance for all tests. */
final class RunningApplication {
  private static final RunningApplication SHARED = new RunningApplication();
  private static final long AT_MOST_SECONDS = 60;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext context;

  private RunningApplication() {
    context =
        new SpringApplicationBuilder(MarketApplication.class, Tests.class)
            .run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--app.outbox.poll-interval=50ms",
                "--app.outbox.initial-backoff=50ms",
                "--app.outbox.publish-timeout=20s",
                "--app.outbox.processing-ttl=60s",
                "--spring.datasource.url=" + PostgresServer.shared().createDatabase("market"),
                "--spring.kafka.bootstrap-servers=" + KafkaServer.shared().bootstrapServers());
  }

  static RunningApplication shared() {
    return SHARED;
  }

  <B> B bean(Class<B> type) {
    return context.getBean(type);
  }

  JdbcTemplate jdbc() {
    return bean(JdbcTemplate.class);
  }

  HttpResponse<String> create(String dealId) throws IOException, InterruptedException {
    return post(
        "/deals",
        """
        {"dealId":"%s","advertiserId":"ada","channelId":"channel-1","price":10.50,"currency":"EUR"}
        """
            .formatted(dealId));
  }

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return post(path, json, Map.of());
  }

  /**
   * @param headers replace or complete the headers for JSON
   */
  HttpResponse<String> post(String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
    headers.forEach(request::setHeader);
    return http.send(
        request.POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  long count(String from) {
    Long count = jdbc().queryForObject("SELECT count(*) FROM " + from, Long.class);
    return count == null ? 0 : count;
  }

  /** Waits for a signal of the relay. */
  <S extends OutboxSignal> S await(Class<S> kind, Predicate<S> wanted) throws InterruptedException {
    BlockingQueue<OutboxSignal> signals = bean(Signals.class).queue();
    while (true) {
      OutboxSignal next = signals.poll(AT_MOST_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("the relay did not signal " + kind.getSimpleName());
      }
      if (kind.isInstance(next) && wanted.test(kind.cast(next))) {
        return kind.cast(next);
      }
    }
  }

  /** Collects the signals of the relay. */
  record Signals(BlockingQueue<OutboxSignal> queue) implements OutboxObserver {
    @Override
    public void on(OutboxSignal signal) {
      queue.add(signal);
    }
  }

  static class Tests {
    @Bean
    Signals signals() {
      return new Signals(new LinkedBlockingQueue<>());
    }

    @Bean
    @Primary
    TestSender testSender(OutboxPublisher publisher) {
      return new TestSender(publisher);
    }
  }
}
