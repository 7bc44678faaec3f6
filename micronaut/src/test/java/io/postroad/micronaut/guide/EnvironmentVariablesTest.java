package io.postroad.micronaut.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.yaml.YamlPropertySourceLoader;
import io.micronaut.core.io.scan.ClassPathResourceLoader;
import io.postroad.micronaut.Variables;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The environment variables of section 8.2, through the guide's own application.yml. */
class EnvironmentVariablesTest {

  @ParameterizedTest
  @CsvSource({
    "APP_PORT, 9093, micronaut.server.port, 9091, 9093",
    "NETTY_WORKER_THREADS, 7, micronaut.server.netty.worker.threads, 50, 7",
    "HIKARI_MAX_POOL_SIZE, 12, datasources.default.maximum-pool-size, 50, 12",
    "HIKARI_MIN_IDLE, 3, datasources.default.minimum-idle, 10, 3",
    "OUTBOX_SWEEP_INTERVAL, 250, postroad.relay.sweep-every, PT1S, PT0.25S",
    "OUTBOX_CLAIM_TIMEOUT, 90, postroad.relay.lease-for, PT1M, PT1M30S",
    "OUTBOX_BATCH_SIZE, 20, postroad.relay.batch, 100, 20",
    "JMS_CONSUMERS_ENABLED, false, postroad.jms.receiver.enabled, true, false",
    "JMS_CONCURRENCY, 4, postroad.jms.receiver.concurrency, 10, 4",
    "JMS_CONCURRENCY, 4, postroad.commands.concurrency, 10, 4",
    "MQ_REQUIRED_QUEUES, 'A.Q,B.Q', postroad.jms.required-queues, APP.CMD.MYCOMMAND.Q, 'A.Q,B.Q'",
    "POSTGRES_DB, other, datasources.default.url, jdbc:postgresql://localhost:5432/myapp,"
        + " jdbc:postgresql://localhost:5432/other",
    "POSTGRES_HOST, db, datasources.default.url, jdbc:postgresql://localhost:5432/myapp,"
        + " jdbc:postgresql://db:5432/myapp",
    "POSTGRES_PORT, 6432, datasources.default.url, jdbc:postgresql://localhost:5432/myapp,"
        + " jdbc:postgresql://localhost:6432/myapp",
    "POSTGRES_USER, app, datasources.default.username, postgres, app",
    "POSTGRES_PASSWORD, hidden, datasources.default.password, postgres, hidden",
    "MQ_HOST, ibmmq, postroad.mq.host, localhost, ibmmq",
    "MQ_PORT, 1515, postroad.mq.port, 1414, 1515",
    "MQ_QMGR, QM9, postroad.mq.qmgr, QM1, QM9",
    "MQ_CHANNEL, APP.CHANNEL, postroad.mq.channel, DEV.APP.SVRCONN, APP.CHANNEL"
  })
  void eachDoesWhatItSays(
      String variable, String value, String property, String byDefault, String expected)
      throws Exception {
    assertThat(read(Map.of(), property)).isEqualTo(byDefault);
    assertThat(read(Map.of(variable, value), property)).isEqualTo(expected);
  }

  /** Durations as Micronaut makes them of the text; all else as it is written. */
  private static String read(Map<String, Object> variables, String property) throws Exception {
    Map<String, Object> yaml;
    try (InputStream text =
        ClassPathResourceLoader.defaultLoader(EnvironmentVariablesTest.class.getClassLoader())
            .getResourceAsStream("classpath:guide/application.yml")
            .orElseThrow()) {
      yaml = new YamlPropertySourceLoader().read("guide", text);
    }
    try (ApplicationContext context =
        ApplicationContext.builder()
            .propertySources(PropertySource.of("guide", yaml, 0), new Variables(variables))
            .properties(Map.of("postroad.enabled", "false"))
            .build()) {
      context.getEnvironment().start();
      return property.endsWith("-every") || property.endsWith("-for")
          ? context.getEnvironment().getRequiredProperty(property, Duration.class).toString()
          : context.getEnvironment().getRequiredProperty(property, String.class);
    }
  }
}
