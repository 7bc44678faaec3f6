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
 * <p>A command is named by its step, or by its type; an undo always by its type. A failed
 * expectation throws an {@link AssertionError} that shows the present process. A refused request of
 * an operator throws {@link IllegalStateException}, as in production.
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

  /** Returns a fixture for a process whose commands are all handled in its own database. */
  public static ProcessFixture of(ProcessConfiguration configuration, JsonCodec codec) {
    return builder(configuration, codec).build();
  }

  /** Returns a builder for a fixture with more settings. */
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

  /** Completes a command without a result. */
  public ProcessFixture whenCompleted(String command) {
    return whenCompleted(command, Map.of());
  }

  /** Completes a command with this result. */
  public ProcessFixture whenCompleted(String command, Map<String, Object> data) {
    return happen(() -> end(then.due(command), data));
  }

  /** Completes all due commands and those that follow without a result; for example all undos. */
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
   * Fails a command: its handler threw an exception.
   *
   * @param error the error that {@code isRetryable} gets, {@code SimpleClassName: message}
   */
  public ProcessFixture whenFailed(String command, String error) {
    return whenFailed(command, error, FailureCode.BUSINESS);
  }

  /** Fails a command with this kind of failure. */
  public ProcessFixture whenFailed(String command, String error, FailureCode code) {
    return happen(
        () -> {
          SentCommand failed = then.due(command);
          stage.end(failed, CommandReply.failed(failed.id(), failed.id(), error, code));
        });
  }

  /**
   * Lets time pass until a command times out. A command of the process's own database was not begun
   * and never will be; a command of another service may have been done.
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

  /** Repeats the last reply to a command. */
  public ProcessFixture whenRepeated(String command) {
    return happen(
        () -> {
          boolean unused = stage.manager().handleReply(stage.id(), then.lastReply(command));
        });
  }

  /** Completes a command of another service after its timeout. */
  public ProcessFixture whenCompletedLate(String command, Map<String, Object> data) {
    return happen(() -> end(then.timedOut(command), data));
  }

  /** Fails a command of another service after its timeout. */
  public ProcessFixture whenFailedLate(String command, String error) {
    return happen(
        () -> {
          SentCommand late = then.timedOut(command);
          stage.end(late, CommandReply.failed(late.id(), late.id(), error));
        });
  }

  /** Lets time pass; everything that becomes due happens at its time. */
  public ProcessFixture whenTimePasses(Duration by) {
    return happen(() -> stage.pass(by));
  }

  /** Lets time pass while no node runs; then everything that is due happens at once. */
  public ProcessFixture whenNoNodeRunsFor(Duration by) {
    return happen(
        () -> {
          Instant unused = stage.clock().advance(by);
        });
  }

  /** Sends a signal. */
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

  /** Expects that the last call sent commands of these types, in this order. */
  public ProcessFixture thenCommands(String... types) {
    then.commands(List.of(types));
    return this;
  }

  /** Expects that the last call sent these commands, in this order. */
  public ProcessFixture thenCommands(DomainCommand... commands) {
    then.payloads(
        List.of(commands).stream().map(command -> CommandType.of(command.getClass())).toList(),
        List.of(commands).stream().map(stage::plain).toList());
    return this;
  }

  /** Expects that the last call sent one command with at least these fields. */
  public ProcessFixture thenCommand(String type, Map<String, Object> fields) {
    then.command(type, stage.plain(fields));
    return this;
  }

  /** Expects that the last call sent no command. */
  public ProcessFixture thenNoCommands() {
    then.commands(List.of());
    return this;
  }

  /** Expects that the last call did not change the process: its log has no new entry. */
  public ProcessFixture thenNothing() {
    then.nothing();
    return this;
  }

  public ProcessFixture thenStatus(ProcessStatus status) {
    then.status(status);
    return this;
  }

  /** Expects this reason for a process that is undone or has failed. */
  public ProcessFixture thenFailure(FailureKind kind) {
    then.failure(kind);
    return this;
  }

  /** Expects at least these values in the data. */
  public ProcessFixture thenData(Map<String, Object> data) {
    then.data(stage.plain(data));
    return this;
  }

  /** Expects that exactly these steps were undone, in this order. */
  public ProcessFixture thenCompensated(String... steps) {
    then.compensated(List.of(steps));
    return this;
  }

  /** Expects these log entries in this order, among others: {@code StepCompleted BookLimits}. */
  public ProcessFixture thenLog(String... lines) {
    then.log(List.of(lines));
    return this;
  }

  /** Returns the log from the start: {@code StepCompleted BookLimits}. */
  public List<String> log() {
    return then.lines();
  }

  /** Returns the commands that the last call sent. */
  public List<SentCommand> commands() {
    return then.commands();
  }

  /** Returns the commands that have not ended. */
  public List<SentCommand> openCommands() {
    return stage.open();
  }

  public UUID processId() {
    return stage.id();
  }

  /** Returns the manager, for calls that the fixture lacks, for example {@code explain}. */
  public ProcessManager<InMemoryTransaction> manager() {
    return stage.manager();
  }

  /** Returns the time of the process. */
  public Instant now() {
    return stage.clock().instant();
  }

  /** Builds a fixture. For one thread. */
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
     * Declares types of commands that other services handle. Such a command cannot be recalled, may
     * have been done when it times out, and may get a late reply.
     */
    public Builder handledByOthers(String... types) {
      elsewhere = Set.of(types);
      return this;
    }

    public Builder options(ProcessOptions newOptions) {
      options = newOptions;
      return this;
    }

    /** Sets the time at which the process is started; default is the beginning of 2026. */
    public Builder startingAt(Instant time) {
      start = time;
      return this;
    }

    /**
     * Builds the fixture.
     *
     * @throws io.postroad.process.ProcessDefinitionException when the definition cannot work
     */
    public ProcessFixture build() {
      return new ProcessFixture(this);
    }
  }
}
