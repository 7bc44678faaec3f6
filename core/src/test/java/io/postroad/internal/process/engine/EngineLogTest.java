package io.postroad.internal.process.engine;

import static io.postroad.process.dsl.Processes.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Input.Signalled;
import io.postroad.internal.process.engine.Input.TimePassed;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.internal.process.graph.TinyJson;
import io.postroad.internal.process.runtime.ProcessCodec;
import io.postroad.process.Commands.CompleteCommand;
import io.postroad.process.Commands.NotifyCommand;
import io.postroad.process.Commands.Step1Command;
import io.postroad.process.Commands.Step2Command;
import io.postroad.process.Commands.Step3Command;
import io.postroad.process.Commands.Undo1Command;
import io.postroad.process.Commands.ValidateCommand;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.spi.process.ProcessLogEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Where a process stands is what its log adds up to, whatever happened to it, in any order. */
class EngineLogTest {
  private static final int RUNS = 3_000;
  private static final int HAPPENINGS = 40;
  private static final List<Verb> VERBS = List.of(Verb.values());
  private static final long SEED = 20_260_101L;

  private final ProcessCodec codec = new ProcessCodec(new TinyJson());

  @Test
  void theLogAddsUpToTheState() {
    Map<ProcessStatus, Integer> ends = new EnumMap<>(ProcessStatus.class);
    TreeSet<String> kinds = new TreeSet<>();
    for (int run = 0; run < RUNS; run++) {
      EngineBench bench = randomRun(SEED + run);
      String which = "seed " + (SEED + run) + ": " + bench.logFrom(0);

      assertThat(folded(bench)).as(which).isEqualTo(bench.state);
      assertThat(codec.state(codec.stored(bench.state, new CurrentStep("at", 0))))
          .as("what is kept beside the log; " + which)
          .isEqualTo(bench.state);
      ends.merge(bench.state.status(), 1, Integer::sum);
      bench.log.forEach(logged -> kinds.add(logged.event().type()));
    }
    assertThat(ends.keySet())
        .as("the runs end in all ways: %s", ends)
        .contains(
            ProcessStatus.SUCCEEDED,
            ProcessStatus.COMPENSATED,
            ProcessStatus.FAILED,
            ProcessStatus.RUNNING,
            ProcessStatus.COMPENSATING);
    assertThat(kinds).as("and everything that can be logged was").hasSize(allKinds());
  }

  private static int allKinds() {
    int steps = ProcessEvent.OfStep.class.getPermittedSubclasses().length;
    // All but OfStep itself.
    return steps + ProcessEvent.class.getPermittedSubclasses().length - 1;
  }

  /** As a store gives it back: as text. */
  private ProcessState folded(EngineBench bench) {
    ProcessState state = ProcessState.none(bench.state.id(), true, EngineBench.START);
    for (Logged logged : bench.log) {
      ProcessLogEntry entry = codec.entry(bench.state.id(), logged);
      state = bench.engine().after(state, codec.event(entry), entry.createdAt());
    }
    return state;
  }

  @Test
  void numbersHaveNoGapsAndTimesIncreaseEvenIfTheClockGoesBack() {
    int setBack = 0;
    for (int run = 0; run < RUNS; run++) {
      EngineBench bench = randomRun(SEED + run);
      Instant before = Instant.MIN;
      for (int i = 0; i < bench.log.size(); i++) {
        Logged logged = bench.log.get(i);
        assertThat(logged.seq()).isEqualTo(i + 1);
        assertThat(logged.at()).as("seed %d, entry %d", SEED + run, i + 1).isAfter(before);
        before = logged.at();
      }
      assertThat(bench.state.updatedAt()).isEqualTo(before);
      setBack += bench.now.isBefore(before) ? 1 : 0;
    }
    assertThat(setBack).as("runs at whose end the clock is behind the log").isPositive();
  }

  private static EngineBench randomRun(long seed) {
    Random random = new Random(seed);
    EngineBench bench =
        new EngineBench(graph(), random.nextInt(3), random.nextInt(2))
            .start(Map.of("big", random.nextBoolean()));
    for (int i = 0; i < HAPPENINGS; i++) {
      bench.isRecalled = random.nextBoolean();
      bench.now = bench.now.plusSeconds(random.nextInt(100) - 40);
      Outcome unused = bench.on(input(bench, random));
    }
    return bench;
  }

  /** Mostly replies, to commands that are out and to others. */
  private static Input input(EngineBench bench, Random random) {
    int what = random.nextInt(100);
    if (what < 78) {
      int newest = bench.sent.size() - 1;
      int which =
          random.nextInt(3) > 0
              ? Math.max(0, newest - random.nextInt(2))
              : random.nextInt(newest + 1);
      return new Input.Replied(bench.sent.get(which), reply(random));
    } else if (what < 84) {
      return new Signalled("approved", Map.of("by", "boss " + what));
    } else if (what < 90) {
      return what < 88 ? new TimePassed() : new Input.RequestDue();
    }
    Verb verb = VERBS.get(random.nextInt(VERBS.size()));
    boolean rarely = (verb == Verb.TERMINATE || verb == Verb.CANCEL) && random.nextInt(3) > 0;
    List<String> nodes = bench.engine().graph().nodes().stream().map(Node::id).toList();
    Input.Operated operated =
        new Input.Operated(
            rarely ? Verb.RESUME : verb,
            Optional.of(nodes.get(random.nextInt(nodes.size()))),
            "operator",
            "seeded");
    return what < 98 ? operated : new Input.Queued(Input.queued(operated));
  }

  private static Reply reply(Random random) {
    int how = random.nextInt(20);
    if (how < 13) {
      return new Reply.Done(Map.of("id", (long) how, "key" + how, "value"));
    }
    return switch (how) {
      case 13 -> new Reply.Failed("closed");
      case 14 -> new Reply.Undelivered("no such queue");
      case 15, 16 -> new Reply.Failed(EngineBench.FOR_NOW);
      default -> new Reply.TimedOut(how < 19);
    };
  }

  /** Everything that a graph can have. */
  private static ProcessGraph graph() {
    return process()
        .startWith(Step1Command.class)
        .withCompensation(Undo1Command.class)
        .thenIf("big", data -> data.containsKey("key7") ? broken() : (Boolean) data.get("big"))
        .whenTrue(ValidateCommand.class)
        .withCompensation(Undo1Command.class)
        .thenParallel()
        .branch(Step2Command.class)
        .withCompensation(Undo1Command.class)
        .branch(
            branch ->
                branch
                    .startWith(Step3Command.class)
                    .withCompensation(Undo1Command.class)
                    .thenWait("rest", Duration.ofSeconds(30)))
        .join()
        .thenAwait("approved", Duration.ofMinutes(3))
        .then(CompleteCommand.class)
        .pointOfNoReturn()
        .then(NotifyCommand.class)
        .withDeadline(Duration.ofMinutes(20))
        .end();
  }

  private static boolean broken() {
    throw new IllegalStateException("the data does not say");
  }
}
