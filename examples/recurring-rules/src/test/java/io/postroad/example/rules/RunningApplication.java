package io.postroad.example.rules;

import com.mongodb.client.MongoCollection;
import io.postroad.example.rules.infrastructure.cashflow.CashFlowAvailability;
import io.postroad.example.rules.infrastructure.outbox.LoggingSender;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.MongoServer;
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
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.bson.Document;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.core.MongoTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The application on its own port and the shared servers; one instance for all tests. */
public final class RunningApplication {
  private static final RunningApplication SHARED = new RunningApplication();
  private static final long AT_MOST_SECONDS = 60;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext context;

  private RunningApplication() {
    // The beans of the tests first, which replace those of the application.
    context =
        new SpringApplicationBuilder(Tests.class, RecurringRulesApplication.class)
            .run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--outbox.polling.interval=50",
                "--recurring-rules.execution.cron=-",
                "--recurring-rules.recovery.cron=-",
                "--spring.mongodb.uri=" + MongoServer.shared().connectionString(),
                "--spring.mongodb.database=" + MongoServer.shared().freshDatabase("vidulum"),
                "--spring.kafka.bootstrap-servers=" + KafkaServer.shared().bootstrapServers());
  }

  public static RunningApplication shared() {
    return SHARED;
  }

  /** Returns the application without rules, at the start time of tests. */
  public static RunningApplication cleared() {
    SHARED.rules().deleteMany(new Document());
    SHARED.collection("cash_changes").deleteMany(new Document());
    SHARED.bean(TestClock.class).set(TestClock.START);
    SHARED.bean(CashFlowAvailability.class).setAvailable(true);
    return SHARED;
  }

  public <B> B bean(Class<B> type) {
    return context.getBean(type);
  }

  public void at(String instant) {
    bean(TestClock.class).set(instant);
  }

  public MongoCollection<Document> collection(String name) {
    return bean(MongoTemplate.class).getCollection(name);
  }

  public MongoCollection<Document> rules() {
    return collection("recurring_rules");
  }

  public MongoCollection<Document> outbox() {
    return collection("outbox");
  }

  /** Returns the stored document of a rule. */
  public Document rule(String id) {
    Document found = rules().find(new Document("_id", id)).first();
    if (found == null) {
      throw new AssertionError("there is no rule " + id);
    }
    return found;
  }

  /** Returns the events of a rule, in the order of their append. */
  public List<Document> events(String ruleId) {
    return outbox()
        .find(new Document("aggregateId", ruleId))
        .sort(new Document("payload.occurredAt", 1))
        .into(new ArrayList<>());
  }

  public List<String> eventTypes(String ruleId) {
    return events(ruleId).stream().map(each -> each.getString("eventType")).toList();
  }

  public HttpResponse<String> post(String path, String json)
      throws IOException, InterruptedException {
    return send("POST", path, "application/json", json);
  }

  public HttpResponse<String> put(String path, String json)
      throws IOException, InterruptedException {
    return send("PUT", path, "application/json", json);
  }

  public HttpResponse<String> delete(String path) throws IOException, InterruptedException {
    return http.send(request(path).DELETE().build(), HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> send(String method, String path, String contentType, String json)
      throws IOException, InterruptedException {
    return http.send(
        request(path)
            .header("Content-Type", contentType)
            .method(method, HttpRequest.BodyPublishers.ofString(json))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request that accepts an answer of this type. */
  public HttpResponse<String> postAccepting(String type, String path, String json)
      throws IOException, InterruptedException {
    return http.send(
        request(path)
            .header("Content-Type", "application/json")
            .header("Accept", type)
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  /** Creates a rule of 8500 PLN with this pattern, and returns its id. */
  public String create(String pattern, String startDate, String more)
      throws IOException, InterruptedException {
    HttpResponse<String> response = post("/recurring-rules", body(pattern, startDate, more));
    if (response.statusCode() != 201) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return json(response).path("ruleId").asString();
  }

  /**
   * @param more additional or replaced fields, as JSON without braces
   */
  public static String body(String pattern, String startDate, String more) {
    return """
    {"cashFlowId":"CF10000001","userId":"U10000001","name":"Wynagrodzenie","description":"Pensja miesięczna",
     "baseAmount":{"amount":8500.00,"currency":"PLN"},"type":"INFLOW","categoryName":"Salary",
     "recurrencePattern":%s,"startDate":"%s"%s}
    """
        .formatted(pattern, startDate, more.isEmpty() ? "" : "," + more);
  }

  public static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }

  /** Waits for a signal of the relay. */
  public <S extends OutboxSignal> S await(Class<S> kind, Predicate<S> wanted)
      throws InterruptedException {
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

  /** Waits for a number of records with a key. */
  public static List<ConsumerRecord<String, String>> received(String key, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                KafkaServer.shared().bootstrapServers(),
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      // Without a group, because its members would wait for each other.
      consumer.assign(
          consumer.partitionsFor("recurring_rules").stream()
              .map(each -> new TopicPartition(each.topic(), each.partition()))
              .toList());
      List<ConsumerRecord<String, String>> found = new ArrayList<>();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(AT_MOST_SECONDS);
      while (found.size() < count && System.nanoTime() - deadline < 0) {
        consumer
            .poll(Duration.ofMillis(200))
            .forEach(
                each -> {
                  if (key.equals(each.key())) {
                    found.add(each);
                  }
                });
      }
      return found;
    }
  }

  public static String header(ConsumerRecord<?, ?> event, String name) {
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

    @Bean
    TestClock testClock() {
      return new TestClock();
    }

    @Bean(autowireCandidate = false, destroyMethod = "")
    TestSender testSender(KafkaSenderOptions options) {
      return new TestSender(KafkaSender.create(options));
    }

    @Bean(destroyMethod = "close")
    LoggingSender testLoggingSender(BeanFactory beans) {
      return new LoggingSender(beans.getBean(TestSender.class));
    }
  }
}
