package io.postroad.example.payment;

import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application on its own port and the shared servers; one instance for all tests. */
final class RunningApplication {
  private static final RunningApplication SHARED = new RunningApplication();
  private static final long AT_MOST_SECONDS = 60;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext context;

  private RunningApplication() {
    context =
        new SpringApplicationBuilder(ProducerApplication.class, Tests.class)
            .run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--outbox.publisher.fixed-delay=50",
                "--spring.datasource.url=" + PostgresServer.shared().createDatabase("payments"),
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

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return post(path, json, Map.of());
  }

  /** Sends a request with headers that replace or complete the default ones. */
  HttpResponse<String> post(String path, String json, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    headers.forEach(request::setHeader);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  HttpResponse<String> approve(String paymentId, String userId)
      throws IOException, InterruptedException {
    return post(
        "/payments/approve",
        "{\"paymentId\":\"%s\",\"userId\":\"%s\",\"amount\":10.50,\"currency\":\"BRL\"}"
            .formatted(paymentId, userId));
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

  /** Returns the id of the event of a payment. */
  String eventOf(String paymentId) {
    return String.valueOf(
        jdbc()
            .queryForObject(
                "SELECT id FROM outbox_event WHERE aggregate_id = ?", String.class, paymentId));
  }

  /** Waits for a number of records with a text in their value. */
  static List<ConsumerRecord<String, String>> received(String topic, String containing, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                KafkaServer.shared().bootstrapServers(),
                "group.id",
                "test-" + containing,
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      List<ConsumerRecord<String, String>> found = new ArrayList<>();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(AT_MOST_SECONDS);
      while (found.size() < count && System.nanoTime() - deadline < 0) {
        consumer
            .poll(Duration.ofMillis(200))
            .forEach(
                each -> {
                  if (each.value().contains(containing)) {
                    found.add(each);
                  }
                });
      }
      return found;
    }
  }

  static String header(ConsumerRecord<?, ?> event, String name) {
    return new String(event.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
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

    @Bean(destroyMethod = "close")
    TestSender testSender(KafkaSenderOptions options) {
      return new TestSender(KafkaSender.create(options));
    }
  }
}
