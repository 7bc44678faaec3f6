package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with the Kafka client that Spring Boot brings, on real servers. */
class KafkaEndToEndTest {

  @Test
  void committedMessagesArriveWithTheKafkaClientOfSpringBoot() {
    assertThat(AppInfoParser.getVersion()).as("the client of Spring Boot 4.1").startsWith("4.2.");
    KafkaServer kafka = KafkaServer.shared();
    kafka.createTopic("spring-orders", 1);
    try (ConfigurableApplicationContext application =
        new SpringApplicationBuilder(Orders.class)
            .properties(TestDatabases.postgres("kafka"))
            .properties(
                "spring.main.banner-mode=off",
                "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers())
            .run()) {
      Outbox<?> outbox = application.getBean(Outbox.class);
      new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> {
                for (String type : List.of("One", "Two", "Three")) {
                  var unused =
                      outbox.append(
                          Message.event(type).to("spring-orders").key("k").json("{}").build());
                }
              });

      assertThat(received(kafka, 3)).containsExactly("k One", "k Two", "k Three");
    }
  }

  private static List<String> received(KafkaServer kafka, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "spring-test",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of("spring-orders"));
      List<String> all = new ArrayList<>();
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (all.size() < count && System.nanoTime() - end < 0) {
        StreamSupport.stream(consumer.poll(Duration.ofSeconds(1)).spliterator(), false)
            .map(KafkaEndToEndTest::text)
            .forEach(all::add);
      }
      return all;
    }
  }

  private static String text(ConsumerRecord<String, String> message) {
    return message.key()
        + " "
        + StreamSupport.stream(message.headers().spliterator(), false)
            .filter(header -> header.key().equals("event-type") || header.key().equals("type"))
            .map(header -> new String(header.value(), StandardCharsets.UTF_8))
            .findFirst()
            .orElse("?");
  }

  @EnableAutoConfiguration
  static class Orders {}
}
