package io.postroad.tck.contract.command;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.CommandSignal;
import io.postroad.command.DomainCommand;
import io.postroad.internal.command.StepCommands;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.Outbox;
import io.postroad.spi.CommandStore;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A command bus over a store under test, with a handler that writes an event in its transaction,
 * and then does what the test wants.
 */
public final class CommandScene {
  static final String TYPE = "CreateOrder";
  static final Duration FIRST_WAIT = Duration.ofSeconds(10);
  public static final JsonCodec CODEC = JacksonJsonCodec.create();

  /** What the scene's command says; its constructor checks it. */
  record CreateOrderCommand(String customer, long amount) implements DomainCommand {
    CreateOrderCommand {
      if (customer == null) {
        throw new IllegalArgumentException("customer is required");
      }
    }
  }

  /** What a test makes of a command. */
  interface Behaviour {
    @Nullable Object handle(CreateOrderCommand command, CommandContext<Object> context)
        throws Exception;
  }

  final List<CommandSignal> signals = new CopyOnWriteArrayList<>();
  final List<CreateOrderCommand> handled = new CopyOnWriteArrayList<>();
  volatile Behaviour behaviour = (command, context) -> Map.of("orderId", command.amount());
  private final StoreUnderTest tck;
  private final CommandStore<Object> store;
  private final Outbox<Object> outbox;
  private final CommandBus<Object> bus;

  private CommandScene(StoreUnderTest tck, UnaryOperator<CommandBus.Builder<Object>> more)
      throws Exception {
    this.tck = tck;
    this.store = tck.commands();
    this.outbox = Outbox.over(tck.store());
    this.bus =
        tck.closedAtEnd(
            more.apply(
                    CommandBus.builder(store, CODEC)
                        .handlers(registry())
                        .outbox(outbox)
                        .options(options())
                        .observer(signals::add))
                .build());
  }

  static CommandScene of(StoreUnderTest tck) throws Exception {
    return of(tck, builder -> builder);
  }

  static CommandScene of(StoreUnderTest tck, UnaryOperator<CommandBus.Builder<Object>> more)
      throws Exception {
    return new CommandScene(tck, more);
  }

  static CommandOptions options() {
    return CommandOptions.defaults()
        .withName("node-1")
        .withMaxAttempts(3)
        .withBackoff(new Backoff(FIRST_WAIT, 1, FIRST_WAIT, 0))
        .withDrainFor(Duration.ofSeconds(10));
  }

  private AutoCommandHandlerRegistry<Object> registry() {
    return AutoCommandHandlerRegistry.<Object>builder(CODEC)
        .on(CreateOrderCommand.class, this::handle)
        .build();
  }

  private @Nullable Object handle(CreateOrderCommand command, CommandContext<Object> context)
      throws Exception {
    var unused = outbox.append(context.transaction(), event(command.customer()));
    Object result = behaviour.handle(command, context);
    handled.add(command);
    return result;
  }

  static Message event(String customer) {
    return Message.event("OrderCreated").to("orders").key(customer).json("{}").build();
  }

  CommandBus<Object> bus() {
    return bus;
  }

  StepCommands<Object> steps() {
    return StepCommands.of(bus);
  }

  CommandStore<Object> store() {
    return store;
  }

  static CommandRequest request(String key) {
    return CommandRequest.of(TYPE, key, "order-456", "{\"customer\":\"c-1\",\"amount\":7}");
  }

  /** Accepts it and has it handled. */
  UUID handle(CommandRequest request) {
    UUID id = bus.accept(request);
    int unused = bus.runOnce();
    return id;
  }

  CommandReply reply(UUID id) {
    return bus.findReply(id)
        .orElseThrow(() -> new AssertionError("no reply; it stands: " + store.find(id)));
  }

  Optional<CommandReply> replyIfAny(UUID id) {
    return bus.findReply(id);
  }

  /** The events that handlers wrote and committed, since the last call. */
  List<Message> events() throws Exception {
    return tck.receive().stream().filter(message -> message.type().equals("OrderCreated")).toList();
  }
}
