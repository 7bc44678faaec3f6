package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import jakarta.jms.ConnectionFactory;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Two applications, each with its own database, whose replies come to one queue or topic. */
class SharedRepliesTest {
  private static final int COMMANDS = 40;

  @Test
  void eachApplicationGetsItsRepliesOverJms() throws Exception {
    ArtemisServer artemis = ArtemisServer.shared();
    List.of("SPRING.SHARED.ORDER.Q", "SPRING.SHARED.REPLY.Q").forEach(artemis::declareQueue);
    eachGetsItsReplies(
        "SPRING.SHARED.ORDER.Q",
        "SPRING.SHARED.REPLY.Q",
        "artemis.url=" + artemis.url(),
        "postroad.relay.transport=jms",
        "postroad.jms.receiver.enabled=true");
  }

  /** With one group name for all of them, as when a configuration is copied. */
  @Test
  void eachApplicationGetsItsRepliesOverKafka() throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    List.of("spring-shared-order", "spring-shared-replies")
        .forEach(topic -> kafka.createTopic(topic, 4));
    eachGetsItsReplies(
        "spring-shared-order",
        "spring-shared-replies",
        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
        "postroad.kafka.receiver.group-id=spring-shared");
  }

  private static void eachGetsItsReplies(String commands, String replies, String... broker)
      throws Exception {
    String[] asking = {
      "postroad.commands.enabled=true",
      "postroad.commands.send.CreateOrder=" + commands,
      "postroad.commands.reply-to=" + replies
    };
    try (ConfigurableApplicationContext doing =
            application(Doing.class, "doing", broker)
                .properties("shared.orders=" + commands)
                .run();
        ConfigurableApplicationContext shop =
            application(Asking.class, "shop", broker).properties(asking).run();
        ConfigurableApplicationContext market =
            application(Asking.class, "market's", broker).properties(asking).run()) {
      List<CompletableFuture<CommandReply>> waiting = new ArrayList<>();
      for (int i = 0; i < COMMANDS; i++) {
        waiting.add(submit(shop, "shop-" + i));
        waiting.add(submit(market, "market-" + i));
      }

      for (CompletableFuture<CommandReply> one : waiting) {
        assertThat(one.get(120, TimeUnit.SECONDS)).isInstanceOf(CommandReply.Completed.class);
      }
      assertThat(doing.isRunning()).isTrue();
    }
  }

  private static CompletableFuture<CommandReply> submit(
      ConfigurableApplicationContext application, String key) {
    CommandBus<?> bus = application.getBean(CommandBus.class);
    return bus.submit(CommandRequest.of("CreateOrder", key, key, "{}"));
  }

  private static SpringApplicationBuilder application(
      Class<?> main, String name, String... broker) {
    return new SpringApplicationBuilder(main)
        .properties(TestDatabases.postgres("shared_replies"))
        .properties("spring.application.name=" + name, "spring.main.banner-mode=off")
        .properties(broker);
  }

  /** A command that another application handles. */
  public record CreateOrderCommand() implements DomainCommand {}

  /** Sends commands and hears the replies. */
  @EnableAutoConfiguration
  @Import(Artemis.class)
  static class Asking {

    @Bean
    Handlers<Connection> handlers(CommandBus<Connection> bus) {
      return bus.receive(Handlers.builder(), Map.of()).build();
    }
  }

  /** Handles the commands. */
  @EnableAutoConfiguration
  @Import({Artemis.class, Orders.class})
  static class Doing {

    @Bean
    Handlers<Connection> handlers(CommandBus<Connection> bus, Environment environment) {
      String orders = environment.getRequiredProperty("shared.orders");
      return bus.receive(Handlers.builder(), Map.of("CreateOrder", orders)).build();
    }
  }

  static class Orders {
    public void create(CreateOrderCommand command) {}
  }

  /** Connections to Artemis, where the test has one. */
  static class Artemis {

    @Bean(destroyMethod = "close")
    @ConditionalOnProperty("artemis.url")
    ConnectionFactory connections(Environment environment) {
      return new ActiveMQConnectionFactory(environment.getRequiredProperty("artemis.url"));
    }
  }
}
