package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.servers.ArtemisServer;
import io.postroad.servers.KafkaServer;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two applications, each with its own database, whose replies come to one queue or topic. */
class SharedRepliesTest {
  private static final String SERVICE = "test.shared";
  private static final int COMMANDS = 40;

  @Test
  void eachApplicationGetsItsRepliesOverJms() throws Exception {
    ArtemisServer artemis = ArtemisServer.shared();
    List.of("MN.SHARED.ORDER.Q", "MN.SHARED.REPLY.Q").forEach(artemis::declareQueue);
    eachGetsItsReplies(
        "MN.SHARED.ORDER.Q",
        "MN.SHARED.REPLY.Q",
        Map.of(
            "test.jms",
            "true",
            "test.jms.url",
            artemis.url(),
            "postroad.jms.receiver.enabled",
            "true",
            "postroad.jms.receiver.concurrency",
            "4"));
  }

  /** With one group name for all of them, as when a configuration is copied. */
  @Test
  void eachApplicationGetsItsRepliesOverKafka() throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    List.of("mn-shared-order", "mn-shared-replies").forEach(topic -> kafka.createTopic(topic, 4));
    eachGetsItsReplies(
        "mn-shared-order",
        "mn-shared-replies",
        Map.of(
            "kafka.bootstrap.servers",
            kafka.bootstrapServers(),
            "postroad.kafka.receiver.group-id",
            "mn-shared"));
  }

  private static void eachGetsItsReplies(
      String commands, String replies, Map<String, Object> broker) throws Exception {
    Map<String, Object> asking = new HashMap<>(broker);
    asking.put("postroad.commands.send.CreateOrder", commands);
    asking.put("postroad.commands.reply-to", replies);
    try (ApplicationContext doing = app("doing", "doing", commands, broker);
        ApplicationContext shop = app("asking", "shop", commands, asking);
        ApplicationContext market = app("asking", "market's", commands, asking)) {
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

  private static ApplicationContext app(
      String service, String name, String commands, Map<String, Object> more) {
    return Apps.with(
            Apps.freshPostgres("micronaut_shared"),
            SERVICE,
            service,
            "micronaut.application.name",
            name,
            "shared.orders",
            commands)
        .properties(more)
        .start();
  }

  private static CompletableFuture<CommandReply> submit(
      ApplicationContext application, String key) {
    CommandBus<?> bus = application.getBean(CommandBus.class);
    return bus.submit(CommandRequest.of("CreateOrder", key, key, "{}"));
  }

  record CreateOrderCommand() implements DomainCommand {}

  /** Handles the command, where that is done. */
  @Singleton
  @Requires(property = SERVICE, value = "doing")
  static class Orders {
    public void create(CreateOrderCommand command) {}
  }

  @Factory
  @Requires(property = SERVICE)
  static class Received {
    @Singleton
    @Requires(property = SERVICE, value = "asking")
    <T> Handlers<T> replies(CommandBus<T> bus) {
      return bus.receive(Handlers.<T>builder(), Map.of()).build();
    }

    @Singleton
    @Requires(property = SERVICE, value = "doing")
    <T> Handlers<T> commands(CommandBus<T> bus, @Value("${shared.orders}") String orders) {
      return bus.receive(Handlers.<T>builder(), Map.of("CreateOrder", orders)).build();
    }
  }
}
