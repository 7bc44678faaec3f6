package io.postroad.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandSignal;
import io.postroad.command.DomainCommand;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessInstance;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import io.postroad.spi.CommandStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Transfers between two services, each with a database of its own. One has the processes, and
 * reserves and notifies itself; the other one converts and credits, and its replies leave its
 * outbox from {@link #answer()} on. Where there is no broker, the relay of each hands its messages
 * to the inbox of the other.
 */
final class TwoServices<T> implements AutoCloseable {
  static final Duration STEP_LIMIT = Duration.ofHours(1);

  private static final String TYPE = "Transfer";
  private static final Duration SOON = Duration.ofMillis(50);
  private static final List<String> THERE = List.of("Convert", "Credit", "UndoConvert");

  record ReserveCommand(String businessKey) implements DomainCommand {}

  record ConvertCommand(String businessKey) implements DomainCommand {}

  record CreditCommand(String businessKey, String conversion) implements DomainCommand {}

  record NotifyCommand(String businessKey, String credit) implements DomainCommand {}

  record UndoReserveCommand(String businessKey) implements DomainCommand {}

  /** Of one that may have been done, nobody knows the conversion. */
  record UndoConvertCommand(String businessKey, Optional<String> conversion)
      implements DomainCommand {}

  private final Map<String, List<String>> here = new ConcurrentHashMap<>();
  private final Set<UUID> noted = ConcurrentHashMap.newKeySet();
  private final Map<String, List<String>> there = new ConcurrentHashMap<>();
  private final List<CommandSignal> signals = new CopyOnWriteArrayList<>();
  private final Map<String, String> queues = new HashMap<>();
  private final String replies;
  private final OrderedStore<T> asking;
  private final OrderedStore<T> doing;
  private final CommandStore<T> asked;
  private final ProcessStore<T> processes;
  private final BaseProcessManager<T> manager;
  private final CommandBus<T> worker;
  private final Inbox<T> inboxHere;
  private final Inbox<T> inboxThere;
  private final MessageSender toThere;
  private final MessageSender toHere;
  private final OutboxRelay requests;
  private final OutboxRelay answers;
  private final AutoCloseable receiverHere;
  private final AutoCloseable receiverThere;
  private volatile String refusal = "";
  private volatile CountDownLatch mayCredit = new CountDownLatch(0);

  private TwoServices(ProcessTransportContract<T> contract) throws Exception {
    replies = contract.newDestination();
    for (String type : THERE) {
      queues.put(type, contract.newDestination());
    }
    asking = contract.openService();
    asked = contract.openCommands(asking);
    processes = contract.openProcesses(asking);
    manager = manager();
    inboxHere = inbox(contract, asking, manager.bus(), Map.of());
    doing = contract.openService();
    worker = bus(contract.openCommands(doing), doing).handlers(handlersThere()).build();
    inboxThere = inbox(contract, doing, worker, queues);
    toThere = contract.openSender(inboxThere);
    toHere = contract.openSender(inboxHere);
    requests = relay(asking, toThere);
    answers = relay(doing, toHere);
    receiverHere = contract.receive(inboxHere);
    receiverThere = contract.receive(inboxThere);
  }

  /** Both run; the second one does not answer yet. */
  static <T> TwoServices<T> open(ProcessTransportContract<T> contract) throws Exception {
    TwoServices<T> services = new TwoServices<>(contract);
    services.worker.start();
    services.requests.start();
    services.manager.start();
    return services;
  }

  private static <T> CommandBus.Builder<T> bus(CommandStore<T> commands, OrderedStore<T> store) {
    return CommandBus.builder(commands, CommandService.CODEC)
        .transactions(store.transactions())
        .outbox(Outbox.over(store))
        .options(CommandOptions.defaults().withSweepEvery(SOON));
  }

  private BaseProcessManager<T> manager() {
    CommandBus.Builder<T> bus =
        bus(asked, asking)
            .handlers(handlersHere())
            .replyTo(replies)
            .owner("asking")
            .observer(signals::add);
    queues.forEach(bus::send);
    return BaseProcessManager.builder(processes, bus, CommandService.CODEC)
        .transactions(asking.transactions())
        .process(new Transfer())
        .options(ProcessOptions.defaults().withTimersEvery(SOON))
        .build();
  }

  private static <T> Inbox<T> inbox(
      ProcessTransportContract<T> contract,
      OrderedStore<T> store,
      CommandBus<T> bus,
      Map<String, String> queues)
      throws Exception {
    return Inbox.builder(contract.openInbox(store), bus.receive(Handlers.builder(), queues).build())
        .retries(store)
        .transactions(store.transactions())
        .build();
  }

  private static <T> OutboxRelay relay(OrderedStore<T> store, MessageSender sender) {
    return OutboxRelay.builder(store, sender)
        .options(RelayOptions.defaults().withSweepEvery(SOON))
        .build();
  }

  private AutoCommandHandlerRegistry<T> handlersHere() {
    return CommandService.<T>registry()
        .on(
            ReserveCommand.class,
            (command, context) -> note(context, here, command.businessKey(), "Reserve"))
        .on(
            NotifyCommand.class,
            (command, context) -> {
              note(context, here, command.businessKey(), "Notify");
              return Map.of("noted", command.credit());
            })
        .on(
            UndoReserveCommand.class,
            (command, context) -> note(context, here, command.businessKey(), "UndoReserve"))
        .build();
  }

  private AutoCommandHandlerRegistry<T> handlersThere() {
    return CommandService.<T>registry()
        .on(
            ConvertCommand.class,
            (command, context) -> {
              note(context, there, command.businessKey(), "Convert");
              return Map.of("conversion", "converted " + command.businessKey());
            })
        .on(CreditCommand.class, (command, context) -> credit(command, context))
        .on(
            UndoConvertCommand.class,
            (command, context) ->
                note(
                    context,
                    there,
                    command.businessKey(),
                    "UndoConvert " + command.conversion().orElse("of nothing known")))
        .build();
  }

  private Map<String, Object> credit(CreditCommand command, CommandContext<T> context)
      throws InterruptedException {
    if (!mayCredit.await(50, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the test did not let it go on");
    }
    if (!refusal.isEmpty()) {
      throw new IllegalStateException(refusal);
    }
    note(context, there, command.businessKey(), "Credit");
    return Map.of("credit", "credited " + command.conversion());
  }

  /** Once for a command: one that is called again did not commit before. */
  private Map<String, Object> note(
      CommandContext<T> context, Map<String, List<String>> effects, String key, String what) {
    if (noted.add(context.commandId())) {
      effects.computeIfAbsent(key, unused -> new CopyOnWriteArrayList<>()).add(what);
    }
    return Map.of();
  }

  private static final class Transfer implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return TYPE;
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .startWith(ReserveCommand.class)
          .withCompensation(UndoReserveCommand.class)
          .then(ConvertCommand.class)
          .withCompensation(UndoConvertCommand.class)
          .withTimeout(STEP_LIMIT)
          .withRetry(StepRetry.none())
          .then(CreditCommand.class)
          .withTimeout(STEP_LIMIT)
          .withRetry(StepRetry.none())
          .then(NotifyCommand.class)
          .end();
    }
  }

  /** The replies of the second service leave its outbox from now on. */
  void answer() {
    answers.start();
  }

  void failCredits(String error) {
    refusal = error;
  }

  void holdCredits(CountDownLatch until) {
    mayCredit = until;
  }

  UUID start(String businessKey) {
    return manager.startProcess(TYPE, businessKey, Map.of());
  }

  /** The command of a step. */
  UUID command(UUID process, String step) {
    return asked.findByKey(process + ":" + step).orElseThrow().id();
  }

  /** One more reply to a command, in a message of its own, past the relay. */
  void replyAgain(UUID command, String conversion) throws Exception {
    Message again =
        Message.reply("CommandCompleted")
            .to(replies)
            .key(command.toString())
            .json(
                "{\"commandId\":\"%s\",\"outcome\":\"COMPLETED\",\"data\":{\"conversion\":\"%s\"}}"
                    .formatted(command, conversion))
            .build();
    SendOutcome outcome =
        toHere.send(List.of(again)).get(0).toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertThat(outcome).isInstanceOf(SendOutcome.Accepted.class);
  }

  /** What the first service did for a transfer. */
  List<String> here(String businessKey) {
    return here.getOrDefault(businessKey, List.of());
  }

  /** What the second service did for a transfer. */
  List<String> there(String businessKey) {
    return there.getOrDefault(businessKey, List.of());
  }

  /** What happened to the commands of the first service. */
  List<CommandSignal> signals() {
    return signals;
  }

  List<String> log(UUID id) {
    return manager.getProcessLogRepository().findByProcessId(id).stream()
        .map(event -> (event.type() + " " + event.about().orElse("")).strip())
        .toList();
  }

  Map<String, Object> data(UUID id) {
    return instance(id).data();
  }

  String failure(UUID id) {
    return processes.queries().find(id).orElseThrow().summary().failure().orElse("");
  }

  private ProcessInstance instance(UUID id) {
    return manager.getProcessRepository().findById(id).orElseThrow();
  }

  void endsAs(UUID id, ProcessStatus status) throws Exception {
    Eventually.holds(
        () ->
            assertThat(instance(id).status())
                .as(() -> String.join("\n", log(id)))
                .isEqualTo(status));
  }

  @Override
  public void close() throws Exception {
    mayCredit.countDown();
    manager.close();
    worker.close();
    requests.close();
    answers.close();
    receiverHere.close();
    receiverThere.close();
    inboxHere.close();
    inboxThere.close();
    toThere.close();
    toHere.close();
    processes.close();
    asking.close();
    doing.close();
  }
}
