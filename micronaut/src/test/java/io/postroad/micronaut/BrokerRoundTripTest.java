package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.postroad.inbox.Handlers;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import io.postroad.transaction.Transactions;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a transaction over a real broker into a handler's transaction, by properties alone. */
class BrokerRoundTripTest {

  @Test
  void overKafka() throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    kafka.createTopic("micronaut-round-trip", 1);
    roundTrip(
        "micronaut-round-trip",
        "kafka.bootstrap.servers",
        kafka.bootstrapServers(),
        "postroad.kafka.receiver.group-id",
        "round-trip");
  }

  @Test
  void overJms() throws Exception {
    ArtemisServer artemis = ArtemisServer.shared();
    artemis.declareQueue("MICRONAUT.ROUND.TRIP");
    roundTrip(
        "MICRONAUT.ROUND.TRIP",
        "test.jms",
        "true",
        "test.jms.url",
        artemis.url(),
        "postroad.jms.required-queues",
        "MICRONAUT.ROUND.TRIP",
        "postroad.jms.receiver.enabled",
        "true");
  }

  @Test
  void aRequiredQueueThatDoesNotExistIsRefusedAndNamed() {
    ArtemisServer artemis = ArtemisServer.shared();
    artemis.declareQueue("MICRONAUT.THERE");
    assertThatThrownBy(
            () ->
                Apps.with(
                        Apps.freshPostgres("micronaut_queues"),
                        "test.jms",
                        "true",
                        "test.jms.url",
                        artemis.url(),
                        "postroad.jms.required-queues",
                        "MICRONAUT.THERE, MICRONAUT.MISSING")
                    .start())
        .hasStackTraceContaining("1 of 2 required queues do not exist: MICRONAUT.MISSING");
  }

  @Test
  void aRequiredQueueOfIbmMqsOwnKeyIsLookedFor() {
    ArtemisServer artemis = ArtemisServer.shared();
    assertThatThrownBy(
            () ->
                Apps.with(
                        Apps.freshPostgres("micronaut_mq_queues"),
                        "test.jms",
                        "true",
                        "test.jms.url",
                        artemis.url(),
                        "postroad.mq.required-queues",
                        "MICRONAUT.MISSING.TOO")
                    .start())
        .hasStackTraceContaining("1 of 1 required queues do not exist: MICRONAUT.MISSING.TOO");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postroad.jms.required-queues", "postroad.mq.required-queues"})
  void requiredQueuesWithoutAConnectionToCheckThemAreRefused(String property) {
    assertThatThrownBy(
            () ->
                Apps.with(
                        Apps.freshPostgres("micronaut_no_jms"),
                        Beans.ASKED,
                        "sender",
                        property,
                        "MICRONAUT.THERE")
                    .start()
                    .close())
        .hasMessageContaining("Required queues are given (MICRONAUT.THERE)")
        .hasMessageContaining("ConnectionFactory");
  }

  private static void roundTrip(String destination, Object... properties) throws Exception {
    String url = PostgresServer.shared().createDatabase("micronaut_round_trip");
    TestPostgres.execute(
        url,
        "CREATE TABLE arrival (seq bigint GENERATED ALWAYS AS IDENTITY, type text PRIMARY KEY)");
    try (ApplicationContext application =
        Apps.with(Apps.postgres(url), properties)
            .properties(Map.of("round-trip.destination", destination))
            .start()) {
      Outbox<?> outbox = application.getBean(Outbox.class);
      ((MicronautJdbcTransactions) application.getBean(Transactions.class))
          .run(
              transaction -> {
                for (String type : List.of("One", "Two", "Three")) {
                  var unused =
                      outbox.append(
                          Message.event(type).to(destination).key("k").json("{}").build());
                }
              });

      assertThat(application.getBean(Arrivals.class).latch.await(120, TimeUnit.SECONDS))
          .as("three messages were handled")
          .isTrue();
      assertThat(TestPostgres.seen(url, "SELECT type FROM arrival ORDER BY seq"))
          .containsExactly("One", "Two", "Three");
    }
  }

  /** Counted down after the commit of a handler. */
  @Singleton
  @Requires(property = "round-trip.destination")
  static class Arrivals {
    final CountDownLatch latch = new CountDownLatch(3);
  }

  @Factory
  @Requires(property = "round-trip.destination")
  static class RoundTripHandlers {

    @Singleton
    Handlers<Connection> handlers(
        Transactions<Connection> transactions,
        Arrivals arrivals,
        @Value("${round-trip.destination}") String destination) {
      return Handlers.<Connection>builder()
          .onAny(
              destination,
              "arrivals",
              (message, context) -> {
                try (PreparedStatement insert =
                    transactions
                        .current()
                        .orElseThrow()
                        .prepareStatement("INSERT INTO arrival (type) VALUES (?)")) {
                  insert.setString(1, message.type());
                  insert.executeUpdate();
                }
                transactions.afterCommit(arrivals.latch::countDown);
              })
          .build();
    }
  }
}
