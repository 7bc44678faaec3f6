package io.postroad.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.servers.KafkaServer;
import io.postroad.spi.CommandStore;
import io.postroad.test.InMemoryOrderedStore;
import io.postroad.test.InMemoryTransaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two services share a reply topic and a group name; each receives all its own replies. */
class SharedReplyTopicTest {
  private static final TestTopics TOPICS = new TestTopics(KafkaServer.shared());
  private static final JsonCodec CODEC = JacksonJsonCodec.create();
  private static final int COMMANDS = 40;

  private final String group = TestTopics.freshName();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final String topic = TOPICS.create(2);
  private final String replies = TOPICS.create(4);

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  @Test
  void eachServiceReceivesTheRepliesToItsCommands() throws Exception {
    CommandBus<InMemoryTransaction> orders = asking("orders");
    CommandBus<InMemoryTransaction> billing = asking("o'brien's \"billing\"");
    CommandBus<InMemoryTransaction> unused =
        start(builder -> builder.handlers(handlers()), Map.of("CreateOrder", topic));

    List<CompletableFuture<CommandReply>> waiting = new ArrayList<>();
    for (int i = 0; i < COMMANDS; i++) {
      waiting.add(orders.submit(request("orders-" + i)));
      waiting.add(billing.submit(request("billing-" + i)));
    }

    for (CompletableFuture<CommandReply> one : waiting) {
      assertThat(one.get(120, TimeUnit.SECONDS)).isInstanceOf(CommandReply.Completed.class);
    }
  }

  private CommandBus<InMemoryTransaction> asking(String service) {
    return start(
        builder -> builder.send("CreateOrder", topic).replyTo(replies).owner(service), Map.of());
  }

  private static AutoCommandHandlerRegistry<InMemoryTransaction> handlers() {
    return AutoCommandHandlerRegistry.<InMemoryTransaction>builder(CODEC)
        .on("CreateOrder", Map.class, (command, context) -> context.idempotencyKey())
        .build();
  }

  private static CommandRequest request(String key) {
    return CommandRequest.of("CreateOrder", key, key, "{}");
  }

  private CommandBus<InMemoryTransaction> start(
      UnaryOperator<CommandBus.Builder<InMemoryTransaction>> more, Map<String, String> topics) {
    InMemoryOrderedStore store = new InMemoryOrderedStore();
    CommandStore<InMemoryTransaction> commands = store.commands();
    CommandBus<InMemoryTransaction> bus =
        more.apply(CommandBus.builder(commands, CODEC).outbox(Outbox.over(store))).build();
    Inbox<InMemoryTransaction> inbox =
        Inbox.builder(store.inbox(), bus.receive(Handlers.builder(), topics).build())
            .retries(store)
            .transactions(commands.transactions())
            .build();
    KafkaReceiver receiver =
        KafkaReceiver.create(
            KafkaReceiverOptions.of(TOPICS.server().bootstrapServers(), group), inbox);
    KafkaSender sender =
        KafkaSender.create(KafkaSenderOptions.of(TOPICS.server().bootstrapServers()));
    OutboxRelay relay = OutboxRelay.builder(store, sender).build();
    receiver.start();
    relay.start();
    bus.start();
    List.<AutoCloseable>of(store, inbox, sender, receiver, relay, bus).forEach(opened::push);
    return bus;
  }
}
