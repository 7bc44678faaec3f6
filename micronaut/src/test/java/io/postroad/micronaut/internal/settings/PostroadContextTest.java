package io.postroad.micronaut.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.admin.OutboxAdmin;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.internal.command.StepCommands;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.micronaut.Apps;
import io.postroad.micronaut.Beans;
import io.postroad.micronaut.MicronautJdbcTransactions;
import io.postroad.micronaut.RecordingSender;
import io.postroad.micronaut.internal.wiring.Part;
import io.postroad.micronaut.internal.wiring.Parts;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxOptions;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessOptions;
import io.postroad.servers.PostgresServer;
import io.postroad.spi.OutboxStore;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is there when, what replaces it, and what is refused with which way out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostroadContextTest {
  private Map<String, Object> database = Map.of();

  @BeforeAll
  void createDatabase() {
    database = Apps.freshPostgres("micronaut_conditions");
  }

  private ApplicationContext app(Object... more) {
    return Apps.with(database, more).start();
  }

  @Test
  void anApplicationWithADatabaseAndABrokerHasAnOutboxAndARelayThatRuns() {
    OutboxRelay relay;
    try (ApplicationContext context = app(Beans.ASKED, "sender")) {
      assertThat(context.containsBean(Outbox.class)).isTrue();
      assertThat(context.containsBean(OutboxAdmin.class)).isTrue();
      assertThat(context.getBean(Transactions.class)).isInstanceOf(MicronautJdbcTransactions.class);
      assertThat(context.containsBean(Inbox.class)).isFalse();
      assertThat(context.containsBean(ProcessManager.class)).isFalse();
      assertThat(context.getBean(CommandBus.class).isRunning()).as("no handlers").isFalse();
      relay = context.getBean(OutboxRelay.class);
      assertThat(relay.isRunning()).isTrue();
    }
    assertThat(relay.isRunning()).as("after the context was closed").isFalse();
  }

  @Test
  void aCommittedMessageIsSentOnceByTheRelayThatRuns() throws Exception {
    RecordingSender sender;
    Message message = Message.event("Last").to("d").json("{}").build();
    try (ApplicationContext context = app(Beans.ASKED, "sender")) {
      sender = (RecordingSender) context.getBean(MessageSender.class);
      Outbox<Connection> outbox = outbox(context);
      boolean unused =
          operations(context)
              .executeWrite(
                  status -> {
                    outbox.append(message);
                    return true;
                  });
      sender.awaitOne();
    }
    assertThat(sender.sent()).extracting(Message::id).containsExactly(message.id());
  }

  @Test
  void withoutADatabaseThereIsNothing() {
    try (ApplicationContext context = Apps.with(Map.of(), Beans.ASKED, "sender").start()) {
      assertThat(context.containsBean(OutboxStore.class)).isFalse();
      assertThat(context.containsBean(Outbox.class)).isFalse();
      assertThat(context.containsBean(OutboxRelay.class)).isFalse();
      assertThat(context.containsBean(CommandBus.class)).isFalse();
    }
  }

  @Test
  void aSwitchTurnsAllOff() {
    try (ApplicationContext context = app("postroad.enabled", "false")) {
      assertThat(context.containsBean(OutboxStore.class)).isFalse();
      assertThat(context.containsBean(Outbox.class)).isFalse();
    }
  }

  @Test
  void anotherStoreThanAskedForIsNotMade() {
    try (ApplicationContext context = app("postroad.store.type", "mongodb")) {
      assertThat(context.containsBean(OutboxStore.class)).isFalse();
    }
  }

  @Test
  void withoutARelayNothingIsSentHere() {
    try (ApplicationContext context = app("postroad.relay.enabled", "false")) {
      assertThat(context.containsBean(Outbox.class)).isTrue();
      assertThat(context.containsBean(OutboxRelay.class)).isFalse();
    }
  }

  @Test
  void ownBeansReplaceOurs() {
    JsonCodec codec = JacksonJsonCodec.create();
    try (ApplicationContext context =
        Apps.with(database, Beans.ASKED, "sender").singletons(codec).start()) {
      assertThat(context.getBean(JsonCodec.class)).isSameAs(codec);
    }
  }

  @Test
  void handlersOfBeansAreCalledThroughTheirProxiesAndMayNeedTheBusThemselves() throws Exception {
    try (ApplicationContext context = app(Beans.ASKED, "sender,greeter")) {
      CommandBus<Connection> bus = bus(context);
      assertThat(bus.isRunning()).isTrue();
      assertThat(bus.types()).containsExactly("Greet", "Shout");

      assertThat(reply(bus, "Greet").data()).containsEntry("value", "own transaction: true");
      assertThat(reply(bus, "Shout").data()).containsEntry("value", "you!");
      assertThat(context.getBean(Beans.Greeter.class).bus).isSameAs(bus);
      assertThat(StepCommands.of(bus).resultType("Greet")).contains(String.class);
    }
  }

  private static CommandReply.Completed reply(CommandBus<Connection> bus, String type)
      throws Exception {
    CommandReply reply =
        bus.submit(CommandRequest.of(type, type + System.nanoTime(), "k", "{\"name\":\"you\"}"))
            .get(60, TimeUnit.SECONDS);
    assertThat(reply).isInstanceOf(CommandReply.Completed.class);
    return (CommandReply.Completed) reply;
  }

  @Test
  void aBeanOfHandlersMakesAnInboxThatIsAlsoAWayToSend() {
    try (ApplicationContext context = app(Beans.ASKED, "handlers")) {
      assertThat(context.containsBean(Inbox.class)).isTrue();
      assertThat(context.getBean(MessageSender.class).name()).contains("local");
    }
  }

  @Test
  void partsStopInTheReverseOrderOfTheirStart() {
    List<String> told = new ArrayList<>();
    Parts parts =
        new Parts(
            List.of(
                part(Part.Phase.RECEIVERS, told),
                part(Part.Phase.RELAY, told),
                part(Part.Phase.COMMANDS, told),
                part(Part.Phase.INBOX, told)));
    parts.start();
    parts.stop();
    parts.stop();
    assertThat(told)
        .containsExactly(
            "start RELAY",
            "start INBOX",
            "start COMMANDS",
            "start RECEIVERS",
            "stop RECEIVERS",
            "stop COMMANDS",
            "stop INBOX",
            "stop RELAY");
  }

  @Test
  void aPartThatCannotStartStopsThoseThatRun() {
    List<String> told = new ArrayList<>();
    Parts parts =
        new Parts(
            List.of(
                part(Part.Phase.RELAY, told),
                new Part(
                    Part.Phase.INBOX,
                    "broken",
                    () -> {
                      throw new IllegalStateException("no");
                    },
                    () -> told.add("stop broken"))));
    assertThatThrownBy(parts::start).hasMessage("no");
    assertThat(told)
        .as("also the one that may have begun something")
        .containsExactly("start RELAY", "stop broken", "stop RELAY");
  }

  private static Part part(Part.Phase phase, List<String> told) {
    return new Part(
        phase, phase.name(), () -> told.add("start " + phase), () -> told.add("stop " + phase));
  }

  @Test
  void defaultsAreThoseOfTheLibrary() {
    try (ApplicationContext context = app("postroad.relay.enabled", "false")) {
      ConnectionBudget ofAnyPool = new ConnectionBudget(() -> null, List::of);
      assertThat(context.getBean(OutboxProperties.class).options())
          .isEqualTo(OutboxOptions.defaults());
      assertThat(
              context
                  .getBean(RelayProperties.class)
                  .options(context.getBean(BackoffProperties.class)))
          .isEqualTo(RelayOptions.defaults());
      assertThat(context.getBean(InboxProperties.class).options(ofAnyPool))
          .isEqualTo(InboxOptions.defaults());
      assertThat(context.getBean(CommandProperties.class).options(ofAnyPool))
          .isEqualTo(CommandOptions.defaults());
      assertThat(context.getBean(ProcessProperties.class).options())
          .usingRecursiveComparison()
          .isEqualTo(ProcessOptions.defaults());
    }
  }

  /** Otherwise what is appended in NOT_SUPPORTED would be rolled back without a word. */
  @Test
  void aPoolWithoutAutocommitIsRefused() {
    assertRefused(
        "datasources.default.auto-commit=false",
        "Leave auto-commit out",
        Beans.ASKED,
        "sender",
        "datasources.default.auto-commit",
        "false");
  }

  @Test
  void nowhereToSendIsRefused() {
    assertRefused("Nothing would send what is appended", "postroad.relay.enabled=false");
  }

  @Test
  void severalWaysToSendAreRefused() {
    assertRefused(
        "Messages could be sent in several ways: [KAFKA, JMS]",
        "postroad.relay.transport",
        "kafka.bootstrap.servers",
        "localhost:1",
        "test.jms",
        "true");
  }

  @Test
  void theLeaseOfALaneAndThatOfAClaimAreTwoSettings() {
    try (ApplicationContext context =
        app(
            Beans.ASKED,
            "sender",
            "postroad.relay.lane-lease-for",
            "1s",
            "postroad.relay.lease-for",
            "90s")) {
      RelayOptions options =
          context.getBean(RelayProperties.class).options(context.getBean(BackoffProperties.class));
      assertThat(context.getBean(OutboxRelay.class).isRunning()).isTrue();
      assertThat(options.laneLeaseFor()).isEqualTo(Duration.ofSeconds(1));
      assertThat(options.leaseFor()).isEqualTo(Duration.ofSeconds(90));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "postroad.relay.batch, 0, postroad.relay.*",
    "postroad.outbox.max-payload, 0, postroad.outbox.*",
    "postroad.store.lanes, 0, postroad.store.*",
    "postroad.commands.concurrency, 0, postroad.commands.*"
  })
  void valuesThatAreOutOfRangeAreRefused(String property, String value, String named) {
    assertRefused("", named, Beans.ASKED, "sender,greeter", property, value);
  }

  @Test
  void aSchemaThatIsMissingIsRefused() {
    Map<String, Object> empty =
        Apps.postgres(PostgresServer.shared().createDatabase("micronaut_empty"));
    assertThatThrownBy(
            () ->
                Apps.with(empty, "postroad.store.schema-mode", "verify", Beans.ASKED, "sender")
                    .start())
        .hasMessageContaining("postroad.store.schema-mode=migrate");
  }

  @Test
  void twoDatabasesWithoutAChoiceAreRefused() {
    assertRefused(
        "The application has a DataSource and a MongoDB client",
        "postroad.store.type",
        Beans.ASKED,
        "sender",
        "mongodb.uri",
        "mongodb://localhost:1/none");
  }

  @Test
  void severalDataSourcesWithoutAChoiceAreRefusedAndANameChooses() {
    String url = (String) database.get("datasources.default.url");
    Map<String, Object> two =
        Map.of(
            "datasources.one.url",
            url,
            "datasources.one.maximum-pool-size",
            2,
            "datasources.two.url",
            url,
            "datasources.two.maximum-pool-size",
            2,
            "postroad.store.schema-mode",
            "migrate",
            Beans.ASKED,
            "sender");
    assertThatThrownBy(() -> Apps.with(two).start())
        .hasMessageContaining("several beans of")
        .hasMessageContaining("postroad.store.datasource");
    assertThatThrownBy(() -> Apps.with(two, "postroad.store.datasource", "three").start())
        .hasMessageContaining("of the name 'three'");
    try (ApplicationContext context = Apps.with(two, "postroad.store.datasource", "two").start()) {
      assertThat(context.getBean(OutboxRelay.class).isRunning()).isTrue();
    }
  }

  @Test
  void mongoWithoutADatabaseIsRefused() {
    assertThatThrownBy(
            () ->
                Apps.with(Map.of("mongodb.uri", "mongodb://localhost:1"), Beans.ASKED, "sender")
                    .start())
        .hasMessageContaining("mongodb.uri has none")
        .hasMessageContaining("postroad.store.database");
  }

  @Test
  void twoHandlersForOneCommandAreRefused() {
    assertRefused(
        "Ambiguous handler registration for command type 'Greet': Found 2 different"
            + " implementations: [AnotherGreeter, Greeter]",
        "Leave one public method",
        Beans.ASKED,
        "sender,greeter,another");
  }

  @Test
  void commandsThatAreSentWithoutAPlaceForRepliesAreRefused() {
    assertRefused(
        "Commands of [Ship] are sent to other services",
        "postroad.commands.reply-to",
        Beans.ASKED,
        "sender",
        "postroad.commands.send.Ship",
        "shipping");
  }

  @Test
  void repliesOfAServiceWithoutANameAreRefused() {
    assertRefused(
        "Replies come to 'shipped', and this service has no name",
        "micronaut.application.name",
        Beans.ASKED,
        "sender",
        "postroad.commands.send.Ship",
        "shipping",
        "postroad.commands.reply-to",
        "shipped");
  }

  @Test
  void aProcessWhoseStepHasNoHandlerIsRefused() {
    assertRefused("Nobody", "ProcessConfiguration", Beans.ASKED, "sender,unhandled");
  }

  @Test
  void ibmMqWithoutItsClientIsRefused() {
    assertRefused("", "IBM's client", "postroad.mq.host", "localhost");
  }

  private void assertRefused(String what, String wayOut, Object... more) {
    assertThatThrownBy(() -> app(more).close())
        .hasMessageContaining(what)
        .hasMessageContaining(wayOut);
  }

  @SuppressWarnings("unchecked")
  private static Outbox<Connection> outbox(ApplicationContext context) {
    return context.getBean(Argument.of(Outbox.class, Connection.class));
  }

  @SuppressWarnings("unchecked")
  private static CommandBus<Connection> bus(ApplicationContext context) {
    return context.getBean(Argument.of(CommandBus.class, Connection.class));
  }

  @SuppressWarnings("unchecked")
  private static TransactionOperations<Connection> operations(ApplicationContext context) {
    return context.getBean(Argument.of(TransactionOperations.class, Connection.class));
  }
}
