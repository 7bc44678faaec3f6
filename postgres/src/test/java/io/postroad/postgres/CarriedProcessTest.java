package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandContext;
import io.postroad.command.CommandOptions;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.process.BaseProcessManager;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Processes whose next command has no row, and the order in which they are locked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class CarriedProcessTest {
  private static final Duration LEASE = CommandOptions.defaults().leaseFor();

  /** Some lock that only this test takes. */
  private static final int GATE = 35;

  private final JsonCodec codec = JacksonJsonCodec.create();
  private final List<ProcessSignal> signals = new CopyOnWriteArrayList<>();
  private TestDatabase database;
  private PostgresCommandStore commands;
  private PostgresProcessStore processes;

  record FirstCommand() implements DomainCommand {}

  record SecondCommand() implements DomainCommand {}

  private static final class TwoSteps implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "TwoSteps";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process().startWith(FirstCommand.class).then(SecondCommand.class).end();
    }
  }

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("carried_process");
    database.execute(
        """
        CREATE TABLE effect (name text);
        CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock(%d); RETURN NULL; END';
        CREATE TRIGGER gate AFTER INSERT ON command
          FOR EACH ROW WHEN (NEW.type = 'Second' AND NEW.status = 'COMPLETED')
          EXECUTE FUNCTION wait_at_gate()
        """
            .formatted(GATE));
    commands = PostgresCommandStore.open(database.pool(), database.options());
    processes = PostgresProcessStore.open(database.pool(), database.options());
  }

  @BeforeEach
  void empty() throws SQLException {
    database.reset();
    database.execute("TRUNCATE effect");
    signals.clear();
  }

  @AfterAll
  void close() {
    commands.close();
    processes.close();
    database.close();
  }

  private BaseProcessManager<Connection> node(String name, CompletableFuture<UUID> ended) {
    AutoCommandHandlerRegistry<Connection> handlers =
        AutoCommandHandlerRegistry.<Connection>builder(codec)
            .on(FirstCommand.class, (command, context) -> done(context))
            .on(SecondCommand.class, (command, context) -> done(context))
            .build();
    return BaseProcessManager.builder(
            processes,
            CommandBus.builder(commands, codec)
                .handlers(handlers)
                .options(CommandOptions.defaults().withName(name)),
            codec)
        .process(new TwoSteps())
        .observer(
            signal -> {
              signals.add(signal);
              if (signal instanceof ProcessSignal.Ended end) {
                ended.complete(end.processId());
              }
            })
        .build();
  }

  private static Map<String, Object> done(CommandContext<Connection> context) throws SQLException {
    try (Statement statement = context.transaction().createStatement()) {
      int unused =
          statement.executeUpdate("INSERT INTO effect VALUES ('%s')".formatted(context.type()));
    }
    return Map.of();
  }

  private List<String> effects() throws SQLException {
    return database.rows("SELECT name FROM effect ORDER BY name");
  }

  private void awaitWaiting(String statements) throws SQLException {
    String waiting =
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()
        """;
    while (!database.value(waiting).equals(statements)) {
      Thread.onSpinWait();
    }
  }

  /**
   * One has inserted the end of its command and is about to move the process; the other has found
   * the process by its time and is about to write the command. If it had locked the process first,
   * each would wait for the other.
   */
  @Test
  void whoIsLateAndWhoWritesItsCommandDoNotWaitForEachOther() throws Exception {
    CompletableFuture<UUID> ended = new CompletableFuture<>();
    try (BaseProcessManager<Connection> late = node("late", ended);
        BaseProcessManager<Connection> other = node("other", ended);
        Connection gate = database.pool().getConnection()) {
      gate.setAutoCommit(false);
      try (Statement statement = gate.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock(%d)".formatted(GATE));
      }
      late.start();
      UUID id = late.startProcess("TwoSteps", "key-1", Map.of());
      awaitWaiting("1");
      database.advance(LEASE.multipliedBy(2));
      CompletableFuture<Integer> looking = CompletableFuture.supplyAsync(other::runOnce);
      awaitWaiting("2");

      gate.commit();

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(id);
      int unused = looking.get(60, TimeUnit.SECONDS);
      late.stop();
      int unusedMore = other.runOnce();
      assertThat(status(other, id)).isEqualTo(ProcessStatus.SUCCEEDED);
    }
    assertThat(effects()).containsExactly("First", "Second");
    assertThat(signals).noneMatch(ProcessSignal.StoreFailed.class::isInstance);
    assertThat(database.rows("SELECT type, status, attempt FROM command ORDER BY type"))
        .containsExactly("First|COMPLETED|1", "Second|COMPLETED|1");
  }

  private static ProcessStatus status(BaseProcessManager<Connection> node, UUID id) {
    return node.getProcessRepository().findById(id).orElseThrow().status();
  }

  /** Otherwise the whole change would be for nothing. */
  @Test
  void aCommandThatIsCarriedIsWrittenOnce() throws Exception {
    CompletableFuture<UUID> ended = new CompletableFuture<>();
    try (BaseProcessManager<Connection> node = node("node", ended)) {
      node.start();
      UUID id = node.startProcess("TwoSteps", "key-1", Map.of());

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(id);
    }
    // A row that is written once has no older version: it is where it was inserted.
    assertThat(database.rows("SELECT type, ctid FROM command ORDER BY type"))
        .containsExactly("First|(0,1)", "Second|(0,2)");
    assertThat(database.value("SELECT due_at IS NULL FROM process_instance")).isEqualTo("t");
  }
}
