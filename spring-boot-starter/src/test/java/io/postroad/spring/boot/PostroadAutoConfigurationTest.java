package io.postroad.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClients;
import io.postroad.admin.OutboxAdmin;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.command.DomainCommand;
import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.inbox.Handlers;
import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.jms.JmsReceiver;
import io.postroad.kafka.KafkaReceiver;
import io.postroad.kafka.KafkaReceiverOptions;
import io.postroad.kafka.KafkaSender;
import io.postroad.kafka.KafkaSenderOptions;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresSchema;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessManager;
import io.postroad.spi.CommandStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.PatientMongoTransactionManager;
import io.postroad.spring.SpringJdbcTransactions;
import io.postroad.spring.SpringMongoTransactions;
import io.postroad.spring.boot.internal.PartLifecycle;
import io.postroad.spring.boot.internal.settings.CommandProperties;
import io.postroad.spring.boot.internal.settings.InboxProperties;
import io.postroad.spring.boot.internal.settings.OutboxProperties;
import io.postroad.spring.boot.internal.settings.RelayProperties;
import io.postroad.spring.boot.test.PostroadTest;
import io.postroad.transaction.Transactions;
import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** What is there when, what replaces it, and what is refused with which way out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostroadAutoConfigurationTest {
  private String[] database = {};

  @BeforeAll
  void createDatabase() {
    database = TestDatabases.postgres("conditions");
  }

  private static ApplicationContextRunner plain() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                TransactionAutoConfiguration.class,
                JacksonAutoConfiguration.class,
                PostroadPostgresAutoConfiguration.class,
                PostroadDataSourceAutoConfiguration.class,
                PostroadMongoAutoConfiguration.class,
                PostroadOutboxAutoConfiguration.class,
                PostroadInboxAutoConfiguration.class,
                PostroadCommandAutoConfiguration.class,
                PostroadTransportAutoConfiguration.class,
                PostroadReceiverAutoConfiguration.class,
                PostroadRelayAutoConfiguration.class,
                PostroadActuatorAutoConfiguration.class));
  }

  /** On PostgreSQL, without a broker. */
  private ApplicationContextRunner onPostgres() {
    return plain().withPropertyValues(database);
  }

  /** And with something that messages are sent to. */
  private ApplicationContextRunner sending() {
    return onPostgres().withUserConfiguration(Published.class);
  }

  @Test
  void anApplicationWithADatabaseAndABrokerHasAnOutboxAndARelayThatRuns() {
    onPostgres()
        .withBean(MessageSender.class, RecordingSender::new)
        .run(
            context -> {
              assertThat(context)
                  .hasSingleBean(Outbox.class)
                  .hasSingleBean(OutboxAdmin.class)
                  .hasSingleBean(SpringJdbcTransactions.class)
                  .doesNotHaveBean(Inbox.class)
                  .doesNotHaveBean(CommandBus.class)
                  .doesNotHaveBean(ProcessManager.class);
              OutboxRelay relay = context.getBean(OutboxRelay.class);
              assertThat(relay.isRunning()).isTrue();
              context.close();
              assertThat(relay.isRunning()).as("after the context was closed").isFalse();
            });
  }

  @Test
  void aCommittedMessageIsSentOnceByTheRelayThatRuns() {
    onPostgres()
        .withBean(RecordingSender.class, RecordingSender::new)
        .run(
            context -> {
              Outbox<Connection> outbox = outbox(context.getBean(Outbox.class));
              Message message = Message.event("Last").to("d").json("{}").build();
              RecordingSender sender = context.getBean(RecordingSender.class);
              context
                  .getBean(SpringJdbcTransactions.class)
                  .run(connection -> outbox.append(message));
              sender.awaitOne();
              context.close();
              assertThat(sender.sent()).extracting(Message::id).containsExactly(message.id());
            });
  }

  /** What the last requests and handlers appended still goes out. */
  @Test
  void partsStopAfterTheWebServerAndTheRelayLast() {
    int webServer = Integer.MAX_VALUE - 2048;
    onPostgres()
        .withBean(MessageSender.class, RecordingSender::new)
        .withUserConfiguration(HandlersOfEvents.class, Handler.class)
        .run(
            context ->
                assertThat(
                        context.getBeansOfType(PartLifecycle.class).values().stream()
                            .map(PartLifecycle::getPhase))
                    .containsExactlyInAnyOrder(
                        PartLifecycle.RELAY, PartLifecycle.INBOX, PartLifecycle.COMMANDS));
    assertThat(
            List.of(
                PartLifecycle.RELAY,
                PartLifecycle.INBOX,
                PartLifecycle.COMMANDS,
                PartLifecycle.RECEIVERS,
                webServer))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @SuppressWarnings("unchecked")
  private static Outbox<Connection> outbox(Outbox<?> outbox) {
    return (Outbox<Connection>) outbox;
  }

  @Test
  void withoutADatabaseThereIsNothing() {
    plain()
        .withPropertyValues("postroad.relay.enabled=true")
        .withClassLoader(
            new FilteredClassLoader(DataSource.class, com.mongodb.client.MongoClient.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class));
  }

  @Test
  void withoutTheModuleOfTheDatabaseThereIsNothing() {
    onPostgres()
        .withClassLoader(new FilteredClassLoader(PostgresOrderedStore.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class));
  }

  @Test
  void anotherStoreThanAskedForIsNotMade() {
    onPostgres()
        .withPropertyValues("postroad.store.type=mongodb")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class));
  }

  @Test
  void withoutARelayNothingIsSentHere() {
    onPostgres()
        .withPropertyValues("postroad.relay.enabled=false")
        .run(
            context ->
                assertThat(context).hasSingleBean(Outbox.class).doesNotHaveBean(OutboxRelay.class));
  }

  @Test
  void ownBeansReplaceOurs() {
    sending()
        .withUserConfiguration(Own.class, Handler.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              for (Class<?> type :
                  List.of(
                      PostgresOptions.class,
                      OutboxStore.class,
                      Transactions.class,
                      JsonCodec.class,
                      Outbox.class,
                      OutboxAdmin.class,
                      OutboxRelay.class,
                      AutoCommandHandlerRegistry.class,
                      CommandBus.class)) {
                assertThat(context.getBeanNamesForType(type))
                    .as(type.getSimpleName())
                    .hasSize(1)
                    .allMatch(name -> name.startsWith("own"));
              }
            });
  }

  /** For what has no property. */
  @Test
  void busAndProcessManagerAreMadeOfABuilderOfTheApplication() {
    sending()
        .withUserConfiguration(OwnBuilder.class, Handler.class)
        .run(
            context ->
                assertThat(context.getBean(CommandBus.class).options().name()).isEqualTo("own"));
    sending()
        .withUserConfiguration(OwnBuilder.class, Handler.class, OneStep.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(ProcessManager.class);
              assertThat(context.getBean(CommandBus.class).options().name()).isEqualTo("own");
            });
  }

  @Test
  void aHandlerOfABeanMakesACommandBus() {
    sending()
        .withUserConfiguration(Handler.class)
        .run(
            context -> {
              CommandBus<?> bus = context.getBean(CommandBus.class);
              assertThat(bus.types()).isEqualTo(Set.of("Greet"));
              assertThat(context).doesNotHaveBean(ProcessManager.class);
            });
    sending()
        .withUserConfiguration(Handler.class)
        .withPropertyValues("postroad.commands.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(CommandBus.class));
    sending()
        .withPropertyValues("postroad.commands.enabled=true")
        .run(context -> assertThat(context).hasSingleBean(CommandBus.class));
  }

  @Test
  void aBeanOfHandlersMakesAnInboxThatIsAlsoAWayToSend() {
    onPostgres()
        .withUserConfiguration(HandlersOfEvents.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(Inbox.class);
              assertThat(context.getBean(MessageSender.class).name()).contains("local");
            });
    onPostgres()
        .withUserConfiguration(HandlersOfEvents.class)
        .withPropertyValues("postroad.inbox.enabled=false", "postroad.relay.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Inbox.class));
  }

  @Test
  void connectionDetailsOfKafkaWinOverItsProperties() {
    onPostgres()
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=properties:9092",
            "spring.kafka.security.protocol=SSL",
            "postroad.kafka.send-timeout=9s",
            "postroad.kafka.settings.compression.type=zstd")
        .withUserConfiguration(Published.class)
        .withBean(KafkaConnectionDetails.class, () -> () -> List.of("details:9092"))
        .run(
            context -> {
              KafkaSenderOptions options = context.getBean(KafkaSenderOptions.class);
              assertThat(options.settings().toString())
                  .contains("details:9092")
                  .doesNotContain("properties:9092")
                  .contains("compression.type=zstd")
                  .contains("security.protocol");
              assertThat(options.sendTimeout()).hasSeconds(9);
            });
  }

  @Test
  void kafkaIsWhereMessagesGoWhenThereIsKafka() {
    onPostgres()
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withUserConfiguration(HandlersOfEvents.class)
        .run(
            context ->
                assertThat(context).getBean(MessageSender.class).isInstanceOf(KafkaSender.class));
  }

  @Test
  void defaultsAreThoseOfTheLibrary() {
    sending()
        .withUserConfiguration(Handler.class, HandlersOfEvents.class)
        .run(
            context -> {
              assertThat(context.getBean(RelayProperties.class).options())
                  .isEqualTo(RelayOptions.defaults());
              assertThat(context.getBean(OutboxProperties.class).options())
                  .isEqualTo(OutboxOptions.defaults());
              ConnectionBudget ofAnyPool = new ConnectionBudget(() -> null, List::of);
              assertThat(context.getBean(CommandProperties.class).options(ofAnyPool))
                  .isEqualTo(CommandOptions.defaults());
              assertThat(context.getBean(InboxProperties.class).options(ofAnyPool))
                  .isEqualTo(InboxOptions.defaults());
              assertThat(context.getBean(PostgresOptions.class))
                  .isEqualTo(
                      PostgresOptions.defaults()
                          .withSchemaMode(io.postroad.schema.SchemaMode.MIGRATE));
            });
  }

  @Test
  void nothingOfTheApplicationIsChangedOrAdded() {
    JsonMapper mapper = JsonMapper.builder().build();
    sending()
        .withBean(JsonMapper.class, () -> mapper)
        .withUserConfiguration(Handler.class)
        .run(
            context -> {
              assertThat(context).getBean(JsonMapper.class).isSameAs(mapper);
              assertThat(context).doesNotHaveBean(Clock.class).doesNotHaveBean(TaskScheduler.class);
              assertThat(context).getBean(JsonCodec.class).isInstanceOf(JacksonJsonCodec.class);
              assertThat(context).hasSingleBean(PlatformTransactionManager.class);
            });
  }

  @Test
  void everyAutoConfigurationIsListed() throws IOException {
    ClassPathScanningCandidateComponentProvider scan =
        new ClassPathScanningCandidateComponentProvider(false);
    scan.addIncludeFilter(new AnnotationTypeFilter(AutoConfiguration.class));
    List<String> written =
        scan.findCandidateComponents("io.postroad.spring.boot").stream()
            .map(each -> String.valueOf(each.getBeanClassName()))
            .toList();
    String imports =
        new ClassPathResource(
                "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports")
            .getContentAsString(StandardCharsets.UTF_8);

    assertThat(written).hasSizeGreaterThan(6);
    assertThat(imports.lines()).containsExactlyInAnyOrderElementsOf(written);
  }

  @Test
  void aGroupMakesAReceiverFromKafka() {
    ApplicationContextRunner kafka =
        sending()
            .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
            .withUserConfiguration(HandlersOfEvents.class);
    kafka.run(context -> assertThat(context).doesNotHaveBean(KafkaReceiver.class));
    kafka
        .withPropertyValues(
            "postroad.kafka.receiver.group-id=orders",
            "postroad.kafka.receiver.settings.client.rack=one")
        .withBean(KafkaConnectionDetails.class, () -> () -> List.of("details:9092"))
        .run(
            context -> {
              assertThat(context).hasSingleBean(KafkaReceiver.class);
              KafkaReceiverOptions options = context.getBean(KafkaReceiverOptions.class);
              assertThat(options.groupId()).isEqualTo("orders");
              assertThat(options.settings().toString())
                  .contains("details:9092")
                  .contains("client.rack=one");
            });
    sending()
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withPropertyValues("postroad.kafka.receiver.group-id=orders")
        .run(context -> assertThat(context).doesNotHaveBean(KafkaReceiver.class));
  }

  @Test
  void aReceiverFromJmsIsMadeWhenAskedFor() {
    ApplicationContextRunner jms =
        sending()
            .withUserConfiguration(HandlersOfEvents.class)
            .withBean(ConnectionFactory.class, NoConnections::new);
    jms.run(context -> assertThat(context).doesNotHaveBean(JmsReceiver.class));
    jms.withPropertyValues("postroad.jms.receiver.enabled=true")
        .run(context -> assertThat(context).hasSingleBean(JmsReceiver.class));
  }

  /** Hikari has ten unless told otherwise. */
  @Test
  void handlersShareHalfOfThePoolUnlessToldOtherwise() {
    ApplicationContextRunner commands = sending().withUserConfiguration(Handler.class);
    commands.run(
        context -> {
          assertThat(context.getBean(CommandBus.class).options().concurrency()).isEqualTo(5);
          assertThat(context.getBean(ConnectionBudget.class).warning()).isEmpty();
        });
    commands
        .withUserConfiguration(HandlersOfEvents.class)
        .run(
            context -> {
              assertThat(context.getBean(CommandBus.class).options().concurrency())
                  .as("ten connections, six for relay, inbox and bus, the rest for two")
                  .isEqualTo(2);
              assertThat(context.getBean(Inbox.class).options().concurrency()).isEqualTo(2);
              assertThat(context.getBean(ConnectionBudget.class).warning()).isEmpty();
            });
    commands
        .withPropertyValues("spring.datasource.hikari.maximum-pool-size=40")
        .run(
            context ->
                assertThat(context.getBean(CommandBus.class).options().concurrency())
                    .as("more is not better")
                    .isEqualTo(10));
  }

  @Test
  void handlersOfAllPartsThatTogetherCouldUseUpThePoolAreWarnedOf() {
    ApplicationContextRunner both =
        sending()
            .withUserConfiguration(Handler.class, HandlersOfEvents.class)
            .withPropertyValues("spring.datasource.hikari.maximum-pool-size=20");
    both.withPropertyValues("postroad.commands.concurrency=5", "postroad.inbox.concurrency=5")
        .run(context -> assertThat(context.getBean(ConnectionBudget.class).warning()).isEmpty());
    both.withPropertyValues("postroad.commands.concurrency=6", "postroad.inbox.concurrency=6")
        .run(
            context ->
                assertThat(context.getBean(ConnectionBudget.class).warning())
                    .as("each alone is less than half")
                    .get()
                    .asString()
                    .contains("the 20 connections")
                    .contains("12 run at once")
                    .contains("postroad.commands.concurrency=6, postroad.inbox.concurrency=6")
                    .contains("raise the pool to 24"));
  }

  /** Flyway and scripts run first: they may be what makes the tables. */
  @Test
  void storesAreOpenedAfterTheMigrationsOfTheApplication(@TempDir Path directory)
      throws IOException {
    PostgresOptions options = PostgresOptions.defaults();
    Path script = directory.resolve("schema.sql");
    Files.writeString(
        script, new PostgresSchema(new DriverManagerDataSource(url(database)), options).script());
    sending()
        .withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
        .withPropertyValues(TestDatabases.postgres("migrated_before"))
        .withPropertyValues(
            "postroad.store.schema-mode=verify",
            "spring.sql.init.mode=always",
            "spring.sql.init.separator=^^^ END OF SCRIPT ^^^",
            "spring.sql.init.schema-locations=" + script.toUri())
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Outbox.class));
  }

  private static String url(String... properties) {
    return properties[0].substring(properties[0].indexOf('=') + 1);
  }

  // What is refused.

  @Test
  void nowhereToSendIsRefused() {
    assertRefused(onPostgres(), "Nothing would send", "postroad.relay.enabled=false");
    assertRefused(
        onPostgres()
            .withUserConfiguration(HandlersOfEvents.class)
            .withPropertyValues("postroad.relay.transport=kafka"),
        "only [LOCAL]",
        "postroad-kafka");
  }

  @Test
  void severalWaysToSendAreRefused() {
    assertRefused(
        onPostgres()
            .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
            .withBean(ConnectionFactory.class, NoConnections::new),
        "[KAFKA, JMS]",
        "postroad.relay.transport");
  }

  @Test
  void aClaimLeaseThatASendCouldOutliveIsRefused() {
    assertRefused(
        onPostgres()
            .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
            .withUserConfiguration(PostroadActuatorTest.WithoutOrder.class)
            .withPropertyValues("postroad.relay.lease-for=10s"),
        "leaseFor must exceed the timeout of sender",
        "postroad.relay.*");
  }

  @Test
  void aLaneLeaseMayBeShorterThanASendAndIsNotTheLeaseOfAClaim() {
    onPostgres()
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withPropertyValues("postroad.relay.lane-lease-for=5s")
        .run(
            context -> {
              assertThat(context.getBean(OutboxRelay.class).isRunning()).isTrue();
              RelayOptions options = context.getBean(RelayProperties.class).options();
              assertThat(options.laneLeaseFor()).isEqualTo(Duration.ofSeconds(5));
              assertThat(options.leaseFor()).isEqualTo(RelayOptions.defaults().leaseFor());
            });
  }

  @Test
  void valuesThatAreOutOfRangeAreRefused() {
    assertRefused(
        sending().withPropertyValues("postroad.store.lanes=0"),
        "lanes must be",
        "postroad.store.*");
    assertRefused(
        sending()
            .withUserConfiguration(Handler.class)
            .withPropertyValues("postroad.commands.lease-for=1s"),
        "leaseFor",
        "postroad.commands.*");
  }

  @Test
  void aSchemaThatIsMissingIsRefused() {
    assertRefused(
        sending()
            .withPropertyValues(TestDatabases.postgres("without_schema"))
            .withPropertyValues("postroad.store.schema-mode=verify"),
        "schema",
        "postroad.store.schema-mode=migrate");
  }

  @Test
  void twoDatabasesWithoutAChoiceAreRefused() {
    assertRefused(
        sending()
            .withConfiguration(
                AutoConfigurations.of(
                    MongoAutoConfiguration.class, DataMongoAutoConfiguration.class))
            .withPropertyValues("postroad.store.type=auto"),
        "a DataSource and a MongoDB client",
        "postroad.store.type=postgres");
  }

  /**
   * A manager for MongoDB that nobody asked for would make every {@code @Transactional} unclear.
   */
  @Test
  void mongoWithoutAManagerBesideTransactionsOfAnotherDatabaseIsRefused() {
    String[] mongo = TestDatabases.mongo("conditions");
    ApplicationContextRunner both =
        sending()
            .withConfiguration(
                AutoConfigurations.of(
                    MongoAutoConfiguration.class, DataMongoAutoConfiguration.class))
            .withPropertyValues(mongo);
    assertRefused(both, "there is no MongoTransactionManager", "PatientMongoTransactionManager");
    both.withBean(
            "mongoTransactions",
            PatientMongoTransactionManager.class,
            () -> new PatientMongoTransactionManager(factory(mongo)))
        .run(context -> assertThat(context).hasSingleBean(SpringMongoTransactions.class));
  }

  private static MongoDatabaseFactory factory(String... properties) {
    return new SimpleMongoClientDatabaseFactory(
        MongoClients.create(properties[0].substring(properties[0].indexOf('=') + 1)),
        properties[1].substring(properties[1].indexOf('=') + 1));
  }

  @Test
  void severalTransactionManagersWithoutAChoiceAreRefused() {
    assertRefused(
        sending().withUserConfiguration(TwoManagers.class), "whose transactions", "@Primary");
  }

  /** Without a word there would be no outbox. */
  @Test
  void severalDataSourcesWithoutAChoiceAreRefused() {
    assertRefused(
        sending().withUserConfiguration(TwoDataSources.class),
        "several DataSources, [first, second]",
        "@Primary");
    sending()
        .withUserConfiguration(TwoDataSources.class)
        .withPropertyValues("postroad.store.type=mongodb")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class));
    sending()
        .withUserConfiguration(TwoDataSources.class, OwnStoreOfFirst.class)
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Outbox.class));
  }

  @Test
  void anApplicationThatExcludesOurStoresMayHaveSeveralDataSources() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class, PostroadDataSourceAutoConfiguration.class))
        .withPropertyValues(database)
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(DataSource.class));
  }

  @Test
  void theOnlyTransactionManagerBeingOfAnotherDataSourceIsRefused() {
    assertRefused(
        sending().withUserConfiguration(ForeignManager.class),
        "The only transaction manager (DataSourceTransactionManager) is of something else",
        "Declare a manager of the DataSource");
  }

  @Test
  void amongSeveralManagersTheOneOfTheDataSourceIsTaken() {
    sending()
        .withUserConfiguration(ForeignManager.class, FittingManager.class)
        .run(context -> assertThat(context).hasSingleBean(SpringJdbcTransactions.class));
  }

  @Test
  void twoHandlersForOneCommandAreRefused() {
    assertRefused(
        sending().withUserConfiguration(Handler.class, OtherHandler.class),
        "Ambiguous handler registration for command type 'Greet'",
        "one public method for each command");
  }

  @Test
  void commandsThatAreSentWithoutAPlaceForRepliesAreRefused() {
    assertRefused(
        sending()
            .withPropertyValues(
                "postroad.commands.enabled=true", "postroad.commands.send.BookFx=fx.commands"),
        "their replies have no way back",
        "postroad.commands.reply-to");
  }

  @Test
  void repliesOfAServiceWithoutANameAreRefused() {
    assertRefused(
        sending()
            .withPropertyValues(
                "postroad.commands.enabled=true",
                "postroad.commands.send.BookFx=fx.commands",
                "postroad.commands.reply-to=fx.replies"),
        "Replies come to 'fx.replies', and this service has no name",
        "spring.application.name");
  }

  @Test
  void aProcessWhoseStepHasNoHandlerIsRefused() {
    assertRefused(
        sending().withUserConfiguration(io.postroad.spring.boot.order.OrderProcess.class),
        "ReserveStock",
        "postroad.commands.send");
  }

  private static void assertRefused(
      ApplicationContextRunner application, String description, String action) {
    application.run(
        context -> {
          FailureAnalysis analysis = Analyses.of(context.getStartupFailure());
          assertThat(analysis.getDescription()).contains(description);
          assertThat(analysis.getAction()).contains(action);
        });
  }

  @PostroadTest
  static class Published {}

  static class Own {
    @Bean
    PostgresOptions ownOptions() {
      return PostgresOptions.defaults().withSchemaMode(io.postroad.schema.SchemaMode.MIGRATE);
    }

    @Bean(destroyMethod = "close")
    PostgresOrderedStore ownStore(DataSource dataSource, PostgresOptions options) {
      return PostgresOrderedStore.open(dataSource, options);
    }

    @Bean
    SpringJdbcTransactions ownTransactions(
        PlatformTransactionManager manager, DataSource dataSource) {
      return new SpringJdbcTransactions(manager, dataSource);
    }

    @Bean
    JsonCodec ownCodec() {
      return JacksonJsonCodec.create();
    }

    @Bean
    Outbox<Connection> ownOutbox(PostgresOrderedStore store, SpringJdbcTransactions transactions) {
      return Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
    }

    @Bean
    OutboxAdmin ownAdmin(PostgresOrderedStore store) {
      return OutboxAdmin.over(store);
    }

    @Bean
    OutboxRelay ownRelay(PostgresOrderedStore store, MessageSender sender) {
      return OutboxRelay.builder(store, sender).build();
    }

    @Bean
    AutoCommandHandlerRegistry<Connection> ownRegistry(JsonCodec codec) {
      return AutoCommandHandlerRegistry.<Connection>builder(codec).build();
    }

    @Bean(destroyMethod = "close")
    CommandBus<Connection> ownBus(DataSource dataSource, PostgresOptions options, JsonCodec codec) {
      return CommandBus.builder(
              io.postroad.postgres.PostgresCommandStore.open(dataSource, options), codec)
          .build();
    }
  }

  static class OwnBuilder {
    @Bean
    CommandBus.Builder<Connection> ownBuilder(
        CommandStore<Connection> store,
        AutoCommandHandlerRegistry<Connection> handlers,
        Transactions<Connection> transactions,
        JsonCodec codec) {
      return CommandBus.builder(store, codec)
          .handlers(handlers)
          .transactions(transactions)
          .options(CommandOptions.defaults().withName("own"));
    }
  }

  /** A process. */
  static class OneStep implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Greeting";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process().startWith(GreetCommand.class).end();
    }
  }

  /** A command. */
  public record GreetCommand(String name) implements DomainCommand {}

  /** Its handler. */
  public static class Handler {
    public void greet(GreetCommand command) {}
  }

  /** One too many. */
  public static class OtherHandler {
    public void greet(GreetCommand command) {}
  }

  static class HandlersOfEvents {
    @Bean
    Handlers<Connection> handlers() {
      return Handlers.<Connection>builder().onAny("d", "all", (message, context) -> {}).build();
    }
  }

  static class TwoManagers {
    @Bean
    PlatformTransactionManager first(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    PlatformTransactionManager second(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }
  }

  static class TwoDataSources {
    @Bean
    DataSource first(Environment environment) {
      return DataSourceBuilder.create()
          .url(environment.getRequiredProperty("spring.datasource.url"))
          .build();
    }

    @Bean
    DataSource second(Environment environment) {
      return first(environment);
    }
  }

  static class OwnStoreOfFirst {
    @Bean(destroyMethod = "close")
    PostgresOrderedStore ownStore(@Qualifier("first") DataSource dataSource) {
      return PostgresOrderedStore.open(
          dataSource,
          PostgresOptions.defaults().withSchemaMode(io.postroad.schema.SchemaMode.MIGRATE));
    }

    @Bean
    SpringJdbcTransactions ownTransactions(@Qualifier("first") DataSource dataSource) {
      return new SpringJdbcTransactions(new DataSourceTransactionManager(dataSource), dataSource);
    }
  }

  static class ForeignManager {
    @Bean
    PlatformTransactionManager foreign(Environment environment) {
      return new DataSourceTransactionManager(new TwoDataSources().first(environment));
    }
  }

  static class FittingManager {
    @Bean
    PlatformTransactionManager fitting(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }
  }
}
