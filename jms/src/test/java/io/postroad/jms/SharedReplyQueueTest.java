package io.postroad.jms;

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
import io.postroad.servers.ArtemisServer;
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

/** Two services share a reply queue; each receives its own replies and leaves the others there. */
class SharedReplyQueueTest {
  private static final TestQueues QUEUES = new TestQueues(ArtemisServer.shared());
  private static final JsonCodec CODEC = JacksonJsonCodec.create();
  private static final int COMMANDS = 40;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final String queue = QUEUES.create();
  private final String replies = QUEUES.create();

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
        start(builder -> builder.handlers(handlers()), Map.of("CreateOrder", queue));

    List<CompletableFuture<CommandReply>> waiting = new ArrayList<>();
    for (int i = 0; i < COMMANDS; i++) {
      waiting.add(orders.submit(request("orders-" + i)));
      waiting.add(billing.submit(request("billing-" + i)));
    }

    for (CompletableFuture<CommandReply> one : waiting) {
      assertThat(one.get(120, TimeUnit.SECONDS)).isInstanceOf(CommandReply.Completed.class);
    }
    assertThat(QUEUES.browse(replies)).isEmpty();
  }

  private CommandBus<InMemoryTransaction> asking(String service) {
    return start(
        builder -> builder.send("CreateOrder", queue).replyTo(replies).owner(service), Map.of());
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
      UnaryOperator<CommandBus.Builder<InMemoryTransaction>> more, Map<String, String> queues) {
    InMemoryOrderedStore store = new InMemoryOrderedStore();
    CommandStore<InMemoryTransaction> commands = store.commands();
    CommandBus<InMemoryTransaction> bus =
        more.apply(CommandBus.builder(commands, CODEC).outbox(Outbox.over(store))).build();
    Inbox<InMemoryTransaction> inbox =
        Inbox.builder(store.inbox(), bus.receive(Handlers.builder(), queues).build())
            .retries(store)
            .transactions(commands.transactions())
            .build();
    JmsReceiver receiver =
        JmsReceiver.create(QUEUES.connections(), JmsReceiverOptions.defaults(), inbox);
    JmsSender sender = JmsSender.create(QUEUES.connections());
    OutboxRelay relay = OutboxRelay.builder(store, sender).build();
    receiver.start();
    relay.start();
    bus.start();
    List.<AutoCloseable>of(store, inbox, sender, receiver, relay, bus).forEach(opened::push);
    return bus;
  }
}
