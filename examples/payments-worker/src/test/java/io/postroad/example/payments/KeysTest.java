package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.MapPropertySource;
import io.postroad.example.payments.infrastructure.messaging.Queues;
import io.postroad.outbox.OutboxRelay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each variable of the guide sets its key, and has its default. {@link ConsumersTest} tests the
 * effect on consumers.
 */
class KeysTest {
  private static final String URL = "jdbc:postgresql://localhost:5432/payments";

  @ParameterizedTest
  @CsvSource({
    "APP_PORT, 9093, micronaut.server.port, 9091, 9093",
    "NETTY_WORKER_THREADS, 7, micronaut.server.netty.worker.threads, 50, 7",
    "POSTGRES_HOST, db, datasources.default.url, " + URL + ", jdbc:postgresql://db:5432/payments",
    "POSTGRES_PORT, 7, datasources.default.url, "
        + URL
        + ", jdbc:postgresql://localhost:7/payments",
    "POSTGRES_DB, x, datasources.default.url, " + URL + ", jdbc:postgresql://localhost:5432/x",
    "POSTGRES_USER, ada, datasources.default.username, postgres, ada",
    "POSTGRES_PASSWORD, secret, datasources.default.password, postgres, secret",
    "HIKARI_MAX_POOL_SIZE, 12, datasources.default.maximum-pool-size, 50, 12",
    "HIKARI_MIN_IDLE, 3, datasources.default.minimum-idle, 10, 3",
    "OUTBOX_SWEEP_INTERVAL, 250, postroad.relay.sweep-every, PT1S, PT0.25S",
    "OUTBOX_CLAIM_TIMEOUT, 90, postroad.relay.lease-for, PT1M, PT1M30S",
    "COMMAND_LEASE, 90, postroad.commands.lease-for, PT1M, PT1M30S",
    "COMMAND_HANDLER_TIMEOUT, 30, postroad.commands.handler-timeout, PT20S, PT30S",
    "OUTBOX_BATCH_SIZE, 20, postroad.relay.batch, 100, 20",
    "JMS_CONSUMERS_ENABLED, false, postroad.jms.receiver.enabled, true, false",
    "JMS_CONSUMERS_ENABLED, false, messaging.consumers.enabled, true, false",
    "JMS_CONCURRENCY, 4, messaging.consumers.concurrency, 10, 4",
    "JMS_CONCURRENCY, 4, postroad.commands.concurrency, 10, 4",
    "JMS_CONCURRENCY, 4, postroad.inbox.concurrency, 10, 4",
    "MQ_HOST, mq, mq.host, localhost, mq",
    "MQ_PORT, 1415, mq.port, 1414, 1415",
    "MQ_QMGR, QM2, mq.qmgr, QM1, QM2",
    "MQ_CHANNEL, C, mq.channel, DEV.APP.SVRCONN, C",
    "ARTEMIS_URL, tcp://b:1, artemis.url, tcp://localhost:61616, tcp://b:1"
  })
  void eachVariableSetsItsKeyAndHasItsDefault(
      String variable, String value, String property, String byDefault, String expected) {
    assertThat(read(List.of(), Map.of(), property)).isEqualTo(byDefault);
    assertThat(read(List.of(), Map.of(variable, value), property)).isEqualTo(expected);
  }

  /** Each variable of the guide can be changed alone. */
  @Test
  void aShortClaimTimeoutOfTheOutboxNeedsNoOtherVariable() {
    Map<String, Object> variables = TestServers.fresh("payments_keys");
    variables.put("JMS_CONSUMERS_ENABLED", "false");
    variables.put("OUTBOX_CLAIM_TIMEOUT", "5");
    try (ApplicationContext context = ApplicationContext.run(variables)) {
      assertThat(context.getBean(OutboxRelay.class).isRunning()).isTrue();
    }
  }

  @Test
  void thePoolHasTheTimeoutsOfTheGuide() {
    assertThat(read(List.of(), Map.of(), "datasources.default.connection-timeout"))
        .isEqualTo("30000");
    assertThat(read(List.of(), Map.of(), "datasources.default.idle-timeout")).isEqualTo("600000");
  }

  @Test
  void theRequiredQueuesAreAllQueuesOfTheService() {
    assertThat(read(List.of(), Map.of(), "postroad.jms.required-queues").split(","))
        .containsExactlyElementsOf(TestServers.queues());
    assertThat(
            read(
                List.of(), Map.of("MQ_REQUIRED_QUEUES", "A.Q,B.Q"), "postroad.jms.required-queues"))
        .isEqualTo("A.Q,B.Q");
    for (String type : TestServers.commands()) {
      assertThat(read(List.of(), Map.of(), "postroad.commands.send." + type))
          .isEqualTo(Queues.of(type));
    }
  }

  /** The script defines exactly the queues that the service requires. */
  @Test
  void theScriptDefinesTheRequiredQueues() throws Exception {
    assertThat(Files.readAllLines(Path.of("mq/queues.mqsc")))
        .filteredOn(line -> line.startsWith("DEFINE"))
        .containsExactlyElementsOf(
            TestServers.queues().stream()
                .map("DEFINE QLOCAL('%s') MAXDEPTH(50000) REPLACE"::formatted)
                .toList());
  }

  @Test
  void withIbmMqTheGuidesKeysSetTheQueueManager() {
    List<String> mq = List.of("ibmmq");
    assertThat(read(mq, Map.of(), "postroad.mq.qmgr")).isEqualTo("QM1");
    assertThat(read(mq, Map.of("MQ_HOST", "mq"), "postroad.mq.host")).isEqualTo("mq");
    assertThat(read(mq, Map.of(), "postroad.mq.port")).isEqualTo("1414");
    assertThat(read(mq, Map.of(), "postroad.mq.channel")).isEqualTo("DEV.APP.SVRCONN");
  }

  @Test
  void withKafkaTheRelaySendsToKafka() {
    List<String> kafka = List.of("kafka");
    assertThat(read(kafka, Map.of(), "postroad.relay.transport")).isEqualTo("kafka");
    assertThat(read(kafka, Map.of("KAFKA_BOOTSTRAP_SERVERS", "k:1"), "kafka.bootstrap.servers"))
        .isEqualTo("k:1");
    assertThat(read(kafka, Map.of("JMS_CONSUMERS_ENABLED", "false"), "postroad.inbox.enabled"))
        .isEqualTo("false");
    assertThat(read(kafka, Map.of("JMS_CONCURRENCY", "4"), "postroad.kafka.receiver.concurrency"))
        .isEqualTo("4");
  }

  /** Returns a duration as Micronaut reads it, and any other value as text. */
  private static String read(
      List<String> environments, Map<String, Object> variables, String property) {
    try (ApplicationContext context =
        ApplicationContext.builder()
            .deduceEnvironment(false)
            .environments(environments.toArray(String[]::new))
            .propertySources(new Variables(variables))
            .build()) {
      context.getEnvironment().start();
      return property.matches(".*-(every|for|timeout)") && !property.startsWith("datasources")
          ? context.getEnvironment().getRequiredProperty(property, Duration.class).toString()
          : context.getEnvironment().getRequiredProperty(property, String.class);
    }
  }

  /** Variables that Micronaut reads like those of its process. */
  private static final class Variables extends MapPropertySource {
    Variables(Map<String, Object> variables) {
      super("variables", variables);
    }

    @Override
    public PropertyConvention getConvention() {
      return PropertyConvention.ENVIRONMENT_VARIABLE;
    }
  }
}
