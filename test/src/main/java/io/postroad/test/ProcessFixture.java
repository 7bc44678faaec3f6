package io.postroad.test;

import io.postroad.command.CommandReply;
import io.postroad.command.CommandType;
import io.postroad.command.DomainCommand;
import io.postroad.command.FailureCode;
import io.postroad.message.JsonCodec;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessManager;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Plays one process in a unit test: given its data, when replies, signals, operators and months
 * come, then these commands, this status, these compensations.
 *
 * <pre>{@code
 * ProcessFixture payment = ProcessFixture.of(new SimplePaymentProcessDefinition(), codec);
 *
 * payment.given(Map.of("customerId", customer, "amount", 100, "requiresFx", false));
 * payment.thenCommands("BookLimits");
 * payment.whenCompleted("BookLimits", Map.of("limitId", limit)).thenCommands("CreateTransaction");
 * payment.whenFailed("CreateTransaction", "no such account").thenCommands("ReverseLimits");
 * payment.whenCompleted("ReverseLimits").thenStatus(ProcessStatus.COMPENSATED);
 * }</pre>
 *
 * <p>The definition runs on the engine and the {@code BaseProcessManager} that production uses,
 * over stores in memory and on a clock that the test moves. Only the handlers are missing: the test
 * answers for them. No database, no threads, no waiting.
 *
 * <p>A command is called by the name of its step, or by its type, which an undo always is. What
 * does not hold is an {@link AssertionError} that shows the process as it is instead. What an
 * operator may not do throws {@link IllegalStateException}, as in production.
 *
 * <p>For one thread; one process for each fixture.
 */
public final class ProcessFixture {
  private static final int MANY = 1_000;
  private static final String WHO = "operator";
  private static final String WHY = "test";

  private final ProcessStage stage;
  private final ProcessFindings then;

  private ProcessFixture(Builder from) {
    stage =
        new ProcessStage(from.configuration, from.codec, from.options, from.elsewhere, from.start);
    then = new ProcessFindings(stage);
  }

  /** A process all of whose commands are handled in its own database. */
  public static ProcessFixture of(ProcessConfiguration configuration, JsonCodec codec) {
    return builder(configuration, codec).build();
  }

  /** A process of which more is to be said. */
  public static Builder builder(ProcessConfiguration configuration, JsonCodec codec) {
    return new Builder(configuration, codec);
  }

  /** Starts the process with this data. */
  public ProcessFixture given(Map<String, Object> data) {
    return given("process-1", data);
  }

  /** Starts the process with this business key and data. */
  public ProcessFixture given(String businessKey, Map<String, Object> data) {
    return happen(() -> stage.start(businessKey, data));
  }

  /** A command was done, and returned nothing. */
  public ProcessFixture whenCompleted(String command) {
    return whenCompleted(command, Map.of());
  }

  /** A command was done, and returned this. */
  public ProcessFixture whenCompleted(String command, Map<String, Object> data) {
    return happen(() -> end(then.due(command), data));
  }

  /**
   * All commands that are due are done and return nothing, and so are those that follow; for
   * example all undos.
   */
  public ProcessFixture whenAllCompleted() {
    return happen(
        () -> {
          for (int round = 0; !then.allDue().isEmpty(); round++) {
            if (round == MANY) {
              throw then.wrong(
                  "%d commands were completed, and there is no end of them".formatted(MANY));
            }
            end(then.allDue().get(0), Map.of());
            stage.settle();
          }
        });
  }

  /**
   * A command failed: its handler threw.
   *
   * @param error as the process hears it, {@code SimpleClassName: message}; by it {@code
   *     isRetryable} decides
   */
  public ProcessFixture whenFailed(String command, String error) {
    return whenFailed(command, error, FailureCode.BUSINESS);
  }

  /** A command failed in this way. */
  public ProcessFixture whenFailed(String command, String error, FailureCode code) {
    return happen(
        () -> {
          SentCommand failed = then.due(command);
          stage.end(failed, CommandReply.failed(failed.id(), failed.id(), error, code));
        });
  }

  /**
   * Time passes until the timeout of a command is over. One that is handled in the process's own
   * database was not begun then, and never will be; one that another service handles may have been
   * done.
   */
  public ProcessFixture whenTimedOut(String command) {
    return happen(
        () -> {
          SentCommand late = then.open(command);
          Instant deadline =
              stage
                  .deadline(late)
                  .orElseThrow(() -> then.wrong("%s has no timeout".formatted(late)));
          stage.pass(Duration.between(stage.clock().instant(), deadline));
          if (!stage.isTimedOut(late)) {
            throw then.wrong("%s ended before its timeout was over".formatted(late));
          }
        });
  }

  /** The last reply to a command comes once more. */
  public ProcessFixture whenRepeated(String command) {
    return happen(
        () -> {
          boolean unused = stage.manager().handleReply(stage.id(), then.lastReply(command));
        });
  }

  /** Another service says that it has done a command, after that timed out. */
  public ProcessFixture whenCompletedLate(String command, Map<String, Object> data) {
    return happen(() -> end(then.timedOut(command), data));
  }

  /** Another service says that it has not done a command, after that timed out. */
  public ProcessFixture whenFailedLate(String command, String error) {
    return happen(
        () -> {
          SentCommand late = then.timedOut(command);
          stage.end(late, CommandReply.failed(late.id(), late.id(), error));
        });
  }

  /** Time passes, and what is due happens when it is. */
  public ProcessFixture whenTimePasses(Duration by) {
    return happen(() -> stage.pass(by));
  }

  /** Time passes without anybody there; then what is due happens at once. */
  public ProcessFixture whenNobodyIsThereFor(Duration by) {
    return happen(
        () -> {
          Instant unused = stage.clock().advance(by);
        });
  }

  /** A signal comes. */
  public ProcessFixture whenSignalled(String signal, Map<String, Object> data) {
    return happen(() -> stage.manager().signal(stage.id(), signal, data));
  }

  public ProcessFixture whenPaused() {
    return happen(() -> stage.manager().pause(stage.id(), WHO, WHY));
  }

  public ProcessFixture whenResumed() {
    return happen(() -> stage.manager().resume(stage.id(), WHO, WHY));
  }

  public ProcessFixture whenCancelled() {
    return happen(() -> stage.manager().cancel(stage.id(), WHO, WHY));
  }

  public ProcessFixture whenTerminated() {
    return happen(() -> stage.manager().terminate(stage.id(), WHO, WHY));
  }

  public ProcessFixture whenRetried() {
    return happen(() -> stage.manager().retry(stage.id(), WHO, WHY));
  }

  public ProcessFixture whenSkipped(String step) {
    return happen(() -> stage.manager().skip(stage.id(), step, WHO, WHY));
  }

  private ProcessFixture happen(Runnable what) {
    then.from();
    what.run();
    stage.settle();
    return this;
  }

  private void end(SentCommand command, Map<String, Object> data) {
    stage.end(command, CommandReply.completed(command.id(), command.id(), stage.plain(data)));
  }

  /** The last thing that happened had these types of commands sent, in this order. */
  public ProcessFixture thenCommands(String... types) {
    then.commands(List.of(types));
    return this;
  }

  /** The last thing that happened had these commands sent, in this order. */
  public ProcessFixture thenCommands(DomainCommand... commands) {
    then.payloads(
        List.of(commands).stream().map(command -> CommandType.of(command.getClass())).toList(),
        List.of(commands).stream().map(stage::plain).toList());
    return this;
  }

  /** The last thing that happened had one command sent, which has at least these fields. */
  public ProcessFixture thenCommand(String type, Map<String, Object> fields) {
    then.command(type, stage.plain(fields));
    return this;
  }

  /** The last thing that happened had no command sent. */
  public ProcessFixture thenNoCommands() {
    then.commands(List.of());
    return this;
  }

  /** The last thing that happened left the process as it was: nothing is in its log. */
  public ProcessFixture thenNothing() {
    then.nothing();
    return this;
  }

  public ProcessFixture thenStatus(ProcessStatus status) {
    then.status(status);
    return this;
  }

  /** It is undone or has failed for this reason. */
  public ProcessFixture thenFailure(FailureKind kind) {
    then.failure(kind);
    return this;
  }

  /** Its data has at least these. */
  public ProcessFixture thenData(Map<String, Object> data) {
    then.data(stage.plain(data));
    return this;
  }

  /** These steps were undone, in this order, and no others. */
  public ProcessFixture thenCompensated(String... steps) {
    then.compensated(List.of(steps));
    return this;
  }

  /** Its log has these, in this order, others among them: {@code StepCompleted BookLimits}. */
  public ProcessFixture thenLog(String... lines) {
    then.log(List.of(lines));
    return this;
  }

  /** What is in its log, from the start: {@code StepCompleted BookLimits}. */
  public List<String> log() {
    return then.lines();
  }

  /** The commands that the last thing that happened had sent. */
  public List<SentCommand> commands() {
    return then.commands();
  }

  /** The commands that have not ended. */
  public List<SentCommand> openCommands() {
    return stage.open();
  }

  public UUID processId() {
    return stage.id();
  }

  /** For what this fixture has no word for, {@code explain} for example. */
  public ProcessManager<InMemoryTransaction> manager() {
    return stage.manager();
  }

  /** The time that it is for the process. */
  public Instant now() {
    return stage.clock().instant();
  }

  /** Says more of a process before it is played. For one thread. */
  public static final class Builder {
    private final ProcessConfiguration configuration;
    private final JsonCodec codec;
    private ProcessOptions options = ProcessOptions.defaults();
    private Set<String> elsewhere = Set.of();
    private Instant start = Instant.parse("2026-01-01T00:00:00Z");

    private Builder(ProcessConfiguration configuration, JsonCodec codec) {
      this.configuration = configuration;
      this.codec = codec;
    }

    /**
     * Types of commands that other services handle. They are not taken back once they are sent, may
     * have been done when they time out, and may be replied to late.
     */
    public Builder handledByOthers(String... types) {
      elsewhere = Set.of(types);
      return this;
    }

    public Builder options(ProcessOptions newOptions) {
      options = newOptions;
      return this;
    }

    /** The time at which the process is started; the beginning of 2026 unless told. */
    public Builder startingAt(Instant time) {
      start = time;
      return this;
    }

    /**
     * Builds it.
     *
     * @throws io.postroad.process.ProcessDefinitionException when the definition cannot work
     */
    public ProcessFixture build() {
      return new ProcessFixture(this);
    }
  }
}
