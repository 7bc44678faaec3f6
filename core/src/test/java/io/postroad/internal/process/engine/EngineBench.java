package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Advance.Verdict;
import io.postroad.internal.process.engine.Happening.Operated;
import io.postroad.internal.process.engine.Happening.RecallAnswered;
import io.postroad.internal.process.engine.Happening.Replied;
import io.postroad.internal.process.engine.Happening.Reply;
import io.postroad.internal.process.engine.Happening.Verb;
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

  final List<Advance.Logged> log = new ArrayList<>();
  final List<UUID> sent = new ArrayList<>();
  ProcessState state = ProcessState.none(new UUID(0, 0), START);
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
    engine = new Engine(graph, new Rules(configuration, undo), new Laws());
  }

  Engine engine() {
    return engine;
  }

  EngineBench start(Map<String, Object> data) {
    Verdict unused = on(new Happening.Start("key", "definition", data));
    return this;
  }

  /** Lets something happen, and answers what is to be taken back. */
  Verdict on(Happening happening) {
    Moment moment = new Moment(now, TICK, () -> new UUID(1, ++ids), engine.graph()::decide);
    Advance advance = engine.on(state, happening, moment);
    state = advance.state();
    refusal = advance.refusal();
    log.addAll(advance.events());
    for (Effect effect : advance.effects()) {
      if (effect instanceof Effect.Send send) {
        sent.add(send.command());
      } else if (effect instanceof Effect.Recall recall) {
        Verdict unused = on(new RecallAnswered(recall.command(), isRecalled));
      }
    }
    return advance.verdict();
  }

  Verdict reply(UUID command, Reply reply) {
    return on(new Replied(command, reply));
  }

  Verdict operate(Verb verb, String step) {
    return on(new Operated(verb, Optional.of(step), "operator", "test"));
  }

  StepMark mark(String step) {
    return state.mark(step).orElseThrow(() -> new AssertionError(step + " was not reached"));
  }

  /** The newest command of a step. */
  UUID newest(String step) {
    return mark(step).command().orElseThrow(() -> new AssertionError(step + " has none"));
  }

  /** What was logged from this entry on: {@code StepCompleted Step2}. */
  String logFrom(int first) {
    List<String> lines = new ArrayList<>();
    for (Advance.Logged logged : log.subList(first, log.size())) {
      lines.add(logged.event().type() + logged.event().about().map(step -> ":" + step).orElse(""));
    }
    return String.join(" ", lines);
  }
}
