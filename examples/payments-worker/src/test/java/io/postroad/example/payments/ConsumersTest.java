package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Rows;
import io.postroad.example.payments.infrastructure.messaging.Queues;
import io.postroad.kafka.KafkaReceiver;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.PostgresServer;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effect of JMS_CONSUMERS_ENABLED and JMS_CONCURRENCY on receivers. */
class ConsumersTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long STAYED_MILLIS = 5_000;

  @SuppressWarnings("NullAway.Init")
  private static ArtemisServer artemis;

  /** Starts its own broker, because another application consumes the queues of the shared one. */
  @BeforeAll
  static void start() {
    artemis = ArtemisServer.started();
    TestServers.queues().forEach(artemis::declareQueue);
  }

  @AfterAll
  static void end() {
    artemis.close();
  }

  private final String url = PostgresServer.shared().createDatabase("payments_consumers");

  private ApplicationContext application(Map<String, Object> variables, String... environments) {
    Map<String, Object> all = TestServers.variables(url);
    all.put("ARTEMIS_URL", artemis.url());
    all.putAll(variables);
    return ApplicationContext.run(all, environments);
  }

  @Test
  void withoutConsumersMessagesStayInTheirQueue() throws Exception {
    try (ApplicationContext application = application(Map.of("JMS_CONSUMERS_ENABLED", "false"));
        Rows rows = new Rows(url);
        Connection others =
            new ActiveMQConnectionFactory(artemis.url(), "artemis", "artemis").createConnection()) {
      String accountId = opened(application);
      assertThat(
              Await.<SQLException>until(
                  () -> rows.count("outbox WHERE status = 'DISPATCHED'") == 1, PATIENCE))
          .isTrue();

      others.start();
      Session session = others.createSession(false, Session.AUTO_ACKNOWLEDGE);
      Message command =
          session
              .createConsumer(session.createQueue(Queues.of("CreateAccount")))
              .receive(STAYED_MILLIS);

      assertThat(command).isNotNull();
      assertThat(command.getBody(String.class)).contains(accountId);
    }
  }

  private static String opened(ApplicationContext application) {
    String accountId = UUID.randomUUID().toString();
    UUID unused = AccountOpening.start(application, accountId);
    return accountId;
  }

  @ParameterizedTest
  @CsvSource({"10, 11", "22, 22"})
  void consumersAreSpreadOverTheQueues(String concurrency, int consumers) {
    Set<Thread> before = receivers();
    try (ApplicationContext unused = application(Map.of("JMS_CONCURRENCY", concurrency))) {
      Set<Thread> started = receivers();
      started.removeAll(before);
      assertThat(started).hasSize(consumers);
    }
  }

  /** Returns the consumer threads, which are named after their queues. */
  private static Set<Thread> receivers() {
    Set<Thread> found = new HashSet<>(Thread.getAllStackTraces().keySet());
    found.removeIf(thread -> !thread.getName().contains("-APP.CMD."));
    return found;
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theSameVariableControlsKafkaConsumers(boolean enabled) {
    try (ApplicationContext application =
        application(
            Map.of(
                "JMS_CONSUMERS_ENABLED",
                String.valueOf(enabled),
                "KAFKA_BOOTSTRAP_SERVERS",
                TestServers.kafka().bootstrapServers()),
            "kafka")) {
      assertThat(
              application.findBean(KafkaReceiver.class).map(KafkaReceiver::isRunning).orElse(false))
          .isEqualTo(enabled);
    }
  }
}
