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
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessSignal;
import io.postroad.process.ProcessStatus;
import io.postroad.spi.StoredCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes whose next command has no row, and the order in which they are locked. */
@Timeout(120)
class CarriedProcessTest {
  private static final Duration LEASE = CommandOptions.defaults().leaseFor();

  private static final Duration DEADLINE = Duration.ofHours(5);

  /** Some lock that only this test takes. */
  private static final int GATE = 35;

  private final JsonCodec codec = JacksonJsonCodec.create();
  private final List<ProcessSignal> signals = new CopyOnWriteArrayList<>();
  private final CompletableFuture<UUID> ended = new CompletableFuture<>();
  private static TestDatabase database;
  private static PostgresCommandStore commands;
  private static PostgresProcessStore processes;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger seconds = new AtomicInteger();
  private volatile boolean hasNewInput;
  private volatile boolean isFailing;
  private volatile Behaviour behaviour = context -> {};

  /** What the handler of the second command does before its effect. */
  interface Behaviour {
    void handle(CommandContext<Connection> context) throws Exception;
  }

  record FirstCommand() implements DomainCommand {}

  record SecondCommand(String account) implements DomainCommand {}

  private final class TwoSteps implements ProcessConfiguration {
    private final String type;

    TwoSteps(String type) {
      this.type = type;
    }

    @Override
    public String getProcessType() {
      return type;
    }

    @Override
    public boolean isRetryable(String step, String error) {
      return error.contains("belongs to another command");
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .withDeadline(DEADLINE)
          .startWith(FirstCommand.class)
          .then(SecondCommand.class)
          .withInput(this::input)
          .end();
    }

    private Map<String, Object> input(Map<String, Object> data) {
      if (hasNewInput) {
        throw new IllegalStateException("there is no branch in these data");
      }
      return Map.of("account", "a-1");
    }
  }

  @BeforeAll
  static void create() throws SQLException {
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
  }

  @AfterAll
  static void close() {
    commands.close();
    processes.close();
    database.close();
  }

  private BaseProcessManager<Connection> node(String name) {
    return node(name, "TwoSteps");
  }

  private BaseProcessManager<Connection> node(String name, String processType) {
    AutoCommandHandlerRegistry<Connection> handlers =
        AutoCommandHandlerRegistry.<Connection>builder(codec)
            .on(FirstCommand.class, (command, context) -> done(context))
            .on(
                SecondCommand.class,
                (command, context) -> {
                  behaviour.handle(context);
                  return done(context);
                })
            .build();
    return BaseProcessManager.builder(
            processes,
            CommandBus.builder(commands, codec)
                .handlers(handlers)
                .options(CommandOptions.defaults().withName(name)),
            codec)
        .process(new TwoSteps(processType))
        .options(ProcessOptions.defaults().withTimersEvery(Duration.ofHours(1)))
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

  /** The first to handle the second command waits until the test lets it go on. */
  private void holdUp(CommandContext<Connection> context) throws InterruptedException {
    if (seconds.incrementAndGet() == 1) {
      begun.countDown();
      goOn.await();
      if (isFailing) {
        throw new IllegalStateException("too late");
      }
    }
  }

  /** The one that is started looks for timers once, before there are any; the others are run. */
  private UUID start(BaseProcessManager<Connection> node) {
    node.start();
    return node.startProcess("TwoSteps", "key-1", Map.of());
  }

  /** A process whose second command has begun on a node that is late then. */
  private UUID heldUp(BaseProcessManager<Connection> late) throws Exception {
    behaviour = this::holdUp;
    UUID id = start(late);
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    database.advance(LEASE.multipliedBy(2));
    return id;
  }

  /** The time of a test that is over interrupts it. */
  private static void requireTime() {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("it did not come to that");
    }
    Thread.onSpinWait();
  }

  private static void runAll(BaseProcessManager<Connection> node) {
    while (node.runOnce() > 0) {
      requireTime();
    }
  }

  private List<String> effects() throws SQLException {
    return database.rows("SELECT name FROM effect ORDER BY name");
  }

  /**
   * One has inserted the end of its command and is about to move the process; the other has found
   * the process by its time and is about to write the command. If it had locked the process first,
   * each would wait for the other.
   */
  @Test
  void whoIsLateAndWhoWritesItsCommandDoNotWaitForEachOther() throws Exception {
    try (BaseProcessManager<Connection> late = node("late");
        BaseProcessManager<Connection> other = node("other");
        Connection gate = database.pool().getConnection()) {
      gate.setAutoCommit(false);
      try (Statement statement = gate.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock(%d)".formatted(GATE));
      }
      UUID id = start(late);
      database.awaitLockWaits(1);
      database.advance(LEASE.multipliedBy(2));
      CompletableFuture<Integer> looking = CompletableFuture.supplyAsync(other::runOnce);
      database.awaitLockWaits(2);

      gate.commit();

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(id);
      int unused = looking.get(60, TimeUnit.SECONDS);
      late.stop();
      runAll(other);
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
    try (BaseProcessManager<Connection> node = node("node")) {
      UUID id = start(node);

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(id);
    }
    // A row that is written once has no older version: it is where it was inserted.
    assertThat(database.rows("SELECT type, ctid FROM command ORDER BY type"))
        .containsExactly("First|(0,1)", "Second|(0,2)");
    assertThat(database.value("SELECT due_at IS NULL FROM process_instance")).isEqualTo("t");
  }

  /** Whoever carries it cannot end it, and nobody else can: another attempt has another key. */
  @Test
  void oneWhoseKeyIsTakenIsTriedWithAnother() throws Exception {
    try (BaseProcessManager<Connection> late = node("late");
        BaseProcessManager<Connection> other = node("other")) {
      UUID id = heldUp(late);
      var unused = CommandSamples.accept(commands, CommandSamples.command("T", id + ":Second"));

      runAll(other);
      goOn.countDown();
      late.stop();
      database.advance(Duration.ofHours(1));
      runAll(other);

      assertThat(status(other, id)).isEqualTo(ProcessStatus.SUCCEEDED);
      assertThat(commands.findByKey(id + ":Second:2")).isPresent();
    }
    assertThat(effects()).containsExactly("First", "Second");
  }

  /** The code that makes its input was changed, and a release has killed the node that had it. */
  @Test
  void oneThatCannotBeMadeAgainFailsItsStep() throws Exception {
    try (BaseProcessManager<Connection> late = node("late");
        BaseProcessManager<Connection> other = node("other")) {
      UUID id = heldUp(late);
      hasNewInput = true;

      runAll(other);
      goOn.countDown();
      late.stop();
      runAll(other);

      assertThat(status(other, id)).isNotEqualTo(ProcessStatus.RUNNING);
      assertThat(other.explain(id).orElseThrow().sentence())
          .contains("late did not go on with it in time", "there is no branch in these data");
    }
    assertThat(effects()).containsExactly("First");
  }

  /** Its failure is nobody's: the step is done, by another. */
  @Test
  void oneThatFailsTooLateFailsNothing() throws Exception {
    try (BaseProcessManager<Connection> late = node("late");
        BaseProcessManager<Connection> other = node("other")) {
      UUID id = heldUp(late);
      behaviour = context -> {};
      runAll(other);
      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(id);

      isFailing = true;
      goOn.countDown();
      late.stop();

      assertThat(status(other, id)).isEqualTo(ProcessStatus.SUCCEEDED);
    }
    assertThat(effects()).containsExactly("First", "Second");
    assertThat(database.rows("SELECT type, status, attempt FROM command ORDER BY type"))
        .containsExactly("First|COMPLETED|1", "Second|COMPLETED|2");
  }

  /** What is carried and cannot be written yet must not keep the timers of its process waiting. */
  @Test
  void theDeadlineOfAProcessComesBeforeWhatItHasCarried() throws Exception {
    try (BaseProcessManager<Connection> late = node("late");
        BaseProcessManager<Connection> other = node("other")) {
      UUID id = heldUp(late);
      database.advance(DEADLINE);

      int unused = other.runOnce();
      goOn.countDown();
      late.stop();
      runAll(other);

      assertThat(status(other, id)).isEqualTo(ProcessStatus.FAILED);
      assertThat(other.explain(id).orElseThrow().sentence()).contains("was not done within");
    }
  }

  @Test
  void aNodeThatDoesNotKnowTheProcessLeavesItToOthers() throws Exception {
    try (BaseProcessManager<Connection> late = node("late");
        BaseProcessManager<Connection> stranger = node("stranger", "Other");
        BaseProcessManager<Connection> other = node("other")) {
      UUID id = heldUp(late);

      runAll(stranger);
      assertThat(status(other, id)).isEqualTo(ProcessStatus.RUNNING);
      database.advance(Duration.ofSeconds(11));
      runAll(other);

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(id);
      assertThat(status(other, id)).isEqualTo(ProcessStatus.SUCCEEDED);
      goOn.countDown();
    }
    assertThat(effects()).containsExactly("First", "Second");
    assertThat(signals).noneMatch(ProcessSignal.StoreFailed.class::isInstance);
  }

  /** What is told is what went wrong, not where the command has its row. */
  @Test
  void aFailureThatItsHandlerHasSwallowedIsTold() throws Exception {
    behaviour =
        context -> {
          if (seconds.incrementAndGet() == 1) {
            begun.countDown();
            try {
              processes
                  .transactions()
                  .run(
                      inner -> {
                        throw new IllegalStateException("inner");
                      });
            } catch (IllegalStateException swallowed) {
              // As a careless handler would.
            }
          }
        };
    try (BaseProcessManager<Connection> node = node("node")) {
      UUID id = start(node);
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      while (commands.findByKey(id + ":Second").flatMap(StoredCommand::lastError).isEmpty()) {
        requireTime();
      }

      assertThat(commands.findByKey(id + ":Second").orElseThrow().lastError().orElseThrow())
          .contains("nothing was committed");
    }
  }
}
