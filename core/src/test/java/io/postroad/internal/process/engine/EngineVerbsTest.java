package io.postroad.internal.process.engine;

import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Input.Signalled;
import io.postroad.internal.process.engine.Input.TimePassed;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.process.Commands.NotifyCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Undo1Command;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator can do to a process, by how it stands; what is refused changes nothing. */
class EngineVerbsTest {

  /** How a process can stand. */
  enum Stand {
    RUNNING,
    PAUSED,
    COMPENSATING,
    COMPENSATING_PAUSED,
    SUCCEEDED,
    COMPENSATED,
    STEP_FAILED,
    STEP_FAILED_PAUSED,
    UNDO_FAILED,
    TERMINATED,
    CANCELLED,
    PAST_NO_RETURN;

    EngineBench reach() {
      return switch (this) {
        case RUNNING -> running();
        case PAUSED -> after(running(), Verb.PAUSE);
        case COMPENSATING -> after(running(), Verb.CANCEL);
        case COMPENSATING_PAUSED -> after(after(running(), Verb.PAUSE), Verb.CANCEL);
        case SUCCEEDED -> done(running(), "Step2", "Notify");
        case COMPENSATED -> undone(after(running(), Verb.CANCEL), new Reply.Done(Map.of()));
        case STEP_FAILED -> firstFails(begun());
        case STEP_FAILED_PAUSED -> firstFails(after(begun(), Verb.PAUSE));
        case UNDO_FAILED -> undone(after(running(), Verb.CANCEL), new Reply.Failed("locked"));
        case TERMINATED -> after(running(), Verb.TERMINATE);
        case CANCELLED -> after(begun(), Verb.CANCEL);
        case PAST_NO_RETURN -> done(running(), "Step2");
      };
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING,             TAKEN,    REPEATED, TAKEN,   TAKEN,   REFUSED, REFUSED, REFUSED",
    "PAUSED,              REPEATED, TAKEN,    TAKEN,   TAKEN,   REFUSED, REFUSED, REFUSED",
    "COMPENSATING,        TAKEN,    REPEATED, REFUSED, TAKEN,   REFUSED, REFUSED, REFUSED",
    "COMPENSATING_PAUSED, REPEATED, TAKEN,    REFUSED, TAKEN,   REFUSED, REFUSED, REFUSED",
    "SUCCEEDED,           REFUSED,  REFUSED,  REFUSED, REFUSED, REFUSED, REFUSED, REFUSED",
    "COMPENSATED,         REFUSED,  REFUSED,  REFUSED, REFUSED, REFUSED, REFUSED, REFUSED",
    "STEP_FAILED,         REFUSED,  REFUSED,  REFUSED, REFUSED, TAKEN,   TAKEN,   REFUSED",
    "STEP_FAILED_PAUSED,  REFUSED,  TAKEN,    REFUSED, REFUSED, REFUSED, REFUSED, REFUSED",
    "UNDO_FAILED,         REFUSED,  REFUSED,  REFUSED, REFUSED, TAKEN,   TAKEN,   REFUSED",
    "TERMINATED,          REFUSED,  REFUSED,  REFUSED, REFUSED, REFUSED, REFUSED, REFUSED",
    "CANCELLED,           REFUSED,  REFUSED,  REFUSED, REFUSED, REFUSED, REFUSED, REFUSED",
    "PAST_NO_RETURN,      TAKEN,    REPEATED, REFUSED, TAKEN,   REFUSED, REFUSED, REFUSED"
  })
  void verbs(
      Stand stand,
      Outcome pause,
      Outcome resume,
      Outcome cancel,
      Outcome terminate,
      Outcome retry,
      Outcome skip,
      Outcome signal) {
    check(stand, Verb.PAUSE, pause);
    check(stand, Verb.RESUME, resume);
    check(stand, Verb.CANCEL, cancel);
    check(stand, Verb.TERMINATE, terminate);
    check(stand, Verb.RETRY, retry);
    check(stand, Verb.SKIP, skip);
    check(stand, "a signal it does not know", new Signalled("nothing", Map.of()), signal);
    check(stand, "time", new TimePassed(), Outcome.REPEATED);
  }

  private static void check(Stand stand, Verb verb, Outcome expected) {
    check(
        stand,
        verb.name(),
        new Input.Operated(verb, Optional.of("Step1"), "operator", "test"),
        expected);
  }

  private static void check(Stand stand, String what, Input input, Outcome expected) {
    EngineBench bench = stand.reach();
    ProcessState before = bench.state;
    int sent = bench.sent.size();
    assertThat(bench.on(input)).as("%s of one that is %s", what, stand).isEqualTo(expected);
    if (expected != Outcome.TAKEN) {
      assertThat(bench.state).as("%s of one that is %s", what, stand).isEqualTo(before);
      assertThat(bench.sent).hasSize(sent);
    } else if (before.isPaused()) {
      assertThat(bench.sent.size() - sent)
          .as("only a resume begins something")
          .isEqualTo(
              what.equals("RESUME")
                      && before.status() != ProcessStatus.RUNNING
                      && before.status().isActive()
                  ? 1
                  : 0);
    }
  }

  private static EngineBench begun() {
    ProcessGraph graph =
        process()
            .startWith(Step1Command.class)
            .withCompensation(Undo1Command.class)
            .then(Step2Command.class)
            .pointOfNoReturn()
            .then(NotifyCommand.class)
            .withRetry(StepRetry.forever(Duration.ofSeconds(1), Duration.ofSeconds(1)))
            .end();
    return new EngineBench(graph, 0, 0).start(Map.of());
  }

  /** The second step is queued, and the first can be undone. */
  private static EngineBench running() {
    return done(begun(), "Step1");
  }

  private static EngineBench done(EngineBench bench, String... steps) {
    for (String step : steps) {
      assertThat(bench.reply(bench.newest(step), new Reply.Done(Map.of())))
          .isEqualTo(Outcome.TAKEN);
    }
    return bench;
  }

  private static EngineBench firstFails(EngineBench bench) {
    assertThat(bench.reply(bench.newest("Step1"), new Reply.Failed("closed")))
        .isEqualTo(Outcome.TAKEN);
    return bench;
  }

  private static EngineBench undone(EngineBench bench, Reply reply) {
    assertThat(bench.reply(bench.progress("Step1").undo().orElseThrow(), reply))
        .isEqualTo(Outcome.TAKEN);
    return bench;
  }

  private static EngineBench after(EngineBench bench, Verb verb) {
    assertThat(bench.operate(verb, "Step1")).isEqualTo(Outcome.TAKEN);
    return bench;
  }
}
