package io.postroad.tck.transport;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.CommandStore;
import io.postroad.spi.OrderedStore;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A service with a database of its own: a command bus, an outbox and its relay, an inbox and what
 * it receives. Its retry line is not worked off: in these contracts no message fails.
 */
final class CommandService<T> implements AutoCloseable {
  static final JsonCodec CODEC = JacksonJsonCodec.create();

  private final CommandBus<T> bus;
  private final Inbox<T> inbox;
  private final MessageSender sender;
  private final OutboxRelay relay;
  private final AutoCloseable receiver;
  private final OrderedStore<T> store;

  /**
   * A service that runs.
   *
   * @param queues where commands come from that it handles, by type
   */
  CommandService(
      TransportContract<T> contract,
      UnaryOperator<CommandBus.Builder<T>> more,
      Map<String, String> queues)
      throws Exception {
    store = contract.openService();
    CommandStore<T> commands = contract.openCommands(store);
    bus =
        more.apply(
                CommandBus.builder(commands, CODEC)
                    .outbox(Outbox.over(store))
                    .options(CommandOptions.defaults().withSweepEvery(Duration.ofMillis(50))))
            .build();
    Handlers<T> handlers = bus.receive(Handlers.builder(), queues).build();
    inbox =
        Inbox.builder(contract.openInbox(store), handlers)
            .retries(store)
            .transactions(commands.transactions())
            .build();
    sender = contract.openSender(inbox);
    RelayOptions options = RelayOptions.defaults().withSweepEvery(Duration.ofMillis(50));
    relay = OutboxRelay.builder(store, sender).options(options).build();
    receiver = contract.receive(inbox);
    relay.start();
    bus.start();
  }

  static <T> AutoCommandHandlerRegistry.Builder<T> registry() {
    return AutoCommandHandlerRegistry.builder(CODEC);
  }

  CommandBus<T> bus() {
    return bus;
  }

  @Override
  public void close() throws Exception {
    bus.close();
    relay.close();
    receiver.close();
    inbox.close();
    sender.close();
    store.close();
  }
}
