package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.inbox.Handlers;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import io.postroad.transaction.Transactions;
import jakarta.jms.ConnectionFactory;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** From a transaction over a real broker into a handler's transaction, by properties alone. */
class BrokerRoundTripTest {

  @Test
  void overKafka() throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    kafka.createTopic("spring-round-trip", 1);
    roundTrip(
        "spring-round-trip",
        new SpringApplicationBuilder(Application.class)
            .properties(
                "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "postroad.kafka.receiver.group-id=round-trip",
                "round-trip.destination=spring-round-trip"));
  }

  @Test
  void overJms() throws Exception {
    ArtemisServer artemis = ArtemisServer.shared();
    artemis.declareQueue("SPRING.ROUND.TRIP");
    roundTrip(
        "SPRING.ROUND.TRIP",
        new SpringApplicationBuilder(Application.class, Artemis.class)
            .properties(
                "artemis.url=" + artemis.url(),
                "postroad.relay.transport=jms",
                "postroad.jms.receiver.enabled=true",
                "round-trip.destination=SPRING.ROUND.TRIP"));
  }

  private static void roundTrip(String destination, SpringApplicationBuilder builder)
      throws InterruptedException {
    try (ConfigurableApplicationContext application =
        builder
            .properties(TestDatabases.postgres("round_trip"))
            .properties("spring.main.banner-mode=off")
            .run()) {
      Outbox<?> outbox = application.getBean(Outbox.class);
      new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> {
                for (String type : List.of("One", "Two", "Three")) {
                  var unused =
                      outbox.append(
                          Message.event(type).to(destination).key("k").json("{}").build());
                }
              });

      assertThat(application.getBean(Arrivals.class).latch().await(120, TimeUnit.SECONDS))
          .as("three messages were handled")
          .isTrue();
      assertThat(
              application
                  .getBean(JdbcTemplate.class)
                  .queryForList("SELECT type FROM arrival ORDER BY seq", String.class))
          .containsExactly("One", "Two", "Three");
    }
  }

  /** Counted down after the commit of a handler. */
  record Arrivals(CountDownLatch latch) {}

  @EnableAutoConfiguration
  static class Application {

    @Bean
    Arrivals arrivals() {
      return new Arrivals(new CountDownLatch(3));
    }

    @Bean
    Handlers<Connection> handlers(
        JdbcTemplate jdbc,
        Transactions<Connection> transactions,
        Arrivals arrivals,
        Environment environment) {
      jdbc.execute(
          "CREATE TABLE arrival (seq bigint GENERATED ALWAYS AS IDENTITY, type text PRIMARY KEY)");
      return Handlers.<Connection>builder()
          .onAny(
              environment.getRequiredProperty("round-trip.destination"),
              "arrivals",
              (message, context) -> {
                jdbc.update("INSERT INTO arrival (type) VALUES (?)", message.type());
                transactions.afterCommit(arrivals.latch()::countDown);
              })
          .build();
    }
  }

  static class Artemis {

    @Bean(destroyMethod = "close")
    ConnectionFactory connections(Environment environment) {
      return new ActiveMQConnectionFactory(environment.getRequiredProperty("artemis.url"));
    }
  }
}
