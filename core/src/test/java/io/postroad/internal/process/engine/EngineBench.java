package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Input.RecallAnswered;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** One process on the bare engine: what happens to it is said by the test. For one thread. */
final class EngineBench {
  static final Duration TICK = Duration.ofNanos(1_000);
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final String FOR_NOW = "temporary outage";

  final List<Result.Logged> log = new ArrayList<>();
  final List<UUID> sent = new ArrayList<>();
  ProcessState state = ProcessState.none(new UUID(0, 0), true, START);
  Instant now = START;

  /** Why the last thing that happened was refused. */
  Optional<String> refusal = Optional.empty();

  /** Whether what is to be taken back still can be. */
  boolean isRecalled = true;

  private final Engine engine;
  private int ids;

  EngineBench(ProcessGraph graph, int retries, int undoRetries) {
    ProcessConfiguration configuration =
        new ProcessConfiguration() {
          @Override
          public String getProcessType() {
            return graph.processType();
          }

          @Override
          public ProcessGraph defineProcess() {
            return graph;
          }

          @Override
          public int getMaxRetries(String step) {
            return retries;
          }
        };
    StepRetry undo = new StepRetry(undoRetries, Duration.ZERO, Duration.ZERO);
    engine = new Engine(graph, new RetryRules(configuration, undo), new SafetyRules());
  }

  Engine engine() {
    return engine;
  }

  EngineBench start(Map<String, Object> data) {
    Outcome unused = on(new Input.Start("key", "definition", data));
    return this;
  }

  /** Lets something happen, and answers what is to be taken back. */
  Outcome on(Input input) {
    Environment environment =
        new Environment(now, TICK, () -> new UUID(1, ++ids), engine.graph()::decide);
    Result result = engine.on(state, input, environment);
    state = result.state();
    refusal = result.refusal();
    log.addAll(result.events());
    for (Effect effect : result.effects()) {
      if (effect instanceof Effect.Send send) {
        sent.add(send.command());
      } else if (effect instanceof Effect.Recall recall) {
        Outcome unused = on(new RecallAnswered(recall.command(), isRecalled));
      }
    }
    return result.outcome();
  }

  Outcome reply(UUID command, Reply reply) {
    return on(new Replied(command, reply));
  }

  Outcome operate(Verb verb, String step) {
    return on(new Operated(verb, Optional.of(step), "operator", "test"));
  }

  StepProgress progress(String step) {
    return state.progress(step).orElseThrow(() -> new AssertionError(step + " was not reached"));
  }

  /** The newest command of a step. */
  UUID newest(String step) {
    return progress(step).command().orElseThrow(() -> new AssertionError(step + " has none"));
  }

  /** What was logged from this entry on: {@code StepCompleted Step2}. */
  String logFrom(int first) {
    List<String> lines = new ArrayList<>();
    for (Result.Logged logged : log.subList(first, log.size())) {
      lines.add(logged.event().type() + logged.event().about().map(step -> ":" + step).orElse(""));
    }
    return String.join(" ", lines);
  }
}
