package io.postroad.test.model;

import io.postroad.internal.loop.Check;
import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Environment;
import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.Input.Operated;
import io.postroad.internal.process.engine.Input.RecallAnswered;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.Input.TimePassed;
import io.postroad.internal.process.engine.Input.Verb;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result;
import io.postroad.internal.process.engine.RetryRules;
import io.postroad.internal.process.engine.SafetyRules;
import io.postroad.internal.process.engine.StepProgress;
import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import io.postroad.process.StepState;
import io.postroad.test.model.ModelWorld.Out;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Explores all that can happen to a process, with the engine of production: every order in which
 * the commands of its branches end; each command done, failed for good, failed for now, timed out
 * before or after it began, replied to twice or late; every answer of every condition; recalls in
 * time or too late; waits, deadlines, and a cancellation at any time; undos that succeed, fail for
 * now and fail for good. Pure: runs no handler and stores nothing.
 *
 * <p>Proves for this definition: the process always ends, in one status; until then something is
 * pending; branches join once, when all have arrived; steps with an effect are undone in reverse
 * order, and no other steps; no step begins after the process has failed.
 *
 * <p>Gives up with an {@link IllegalStateException} above five million states; there is no limit of
 * time. Keeps all states in memory: 1.5 million fit into a heap of 2 GB.
 */
public final class ModelCheck {
  private static final Instant START = Instant.EPOCH;
  private static final Duration TICK = Duration.ofNanos(1_000);
  private static final int MOST = 5_000_000;
  private static final String FOR_NOW = "failed for now";
  private static final String FOR_GOOD = "failed for good";

  private final ProcessGraph graph;
  private final Engine engine;
  private final ModelLaws laws;
  private final List<String> nodes;
  private final int most;
  private final Deque<Path> open = new ArrayDeque<>();
  private final Set<String> seen = new HashSet<>();
  private final Map<ProcessStatus, Long> ends = new EnumMap<>(ProcessStatus.class);
  private long transitions;

  private ModelCheck(ProcessGraph defined, SafetyRules laws, int retries, int most) {
    this.graph = defined.withoutInputs();
    this.most = most;
    this.engine = new Engine(graph, new BoundedRules(graph.processType(), retries), laws);
    this.laws = new ModelLaws(graph);
    this.nodes = graph.nodes().stream().map(Node::id).toList();
  }

  /**
   * Result of an exploration.
   *
   * @param states number of states that differ in what can happen next
   * @param transitions number of transitions between them
   * @param ends number of states in which the process can end, by status
   */
  public record Report(long states, long transitions, Map<ProcessStatus, Long> ends) {}

  /**
   * Explores a graph, with one retry of each step and each undo.
   *
   * @throws ModelCheckException at the first law that does not hold, with the inputs up to there
   */
  public static Report of(ProcessGraph graph) {
    return of(graph, new SafetyRules(), 1, MOST);
  }

  /** Explores the graph of a configuration, with one retry of each step and each undo. */
  public static Report of(ProcessConfiguration configuration) {
    return of(configuration.defineProcess());
  }

  /**
   * Explores the graph of a configuration with this number of retries. Each retry multiplies the
   * states: the four steps of the guide's payment have some hundred states without retries, and
   * more than a million with one.
   *
   * @param retries retries of each step and each undo, instead of the configuration's; 0 or more
   */
  public static Report of(ProcessConfiguration configuration, int retries) {
    Check.atLeast(0, retries, "retries");
    return of(configuration.defineProcess(), new SafetyRules(), retries, MOST);
  }

  static Report of(ProcessGraph graph, SafetyRules laws, int retries, int most) {
    return new ModelCheck(graph, laws, retries, most).explore();
  }

  /** Path of inputs from the start, linked from its end. */
  private record Path(ModelWorld world, String happening, Optional<Path> before, int ids) {
    List<String> trace() {
      Deque<String> lines = new ArrayDeque<>();
      for (Optional<Path> path = Optional.of(this); path.isPresent(); path = path.get().before()) {
        lines.addFirst(path.get().happening());
      }
      return List.copyOf(lines);
    }
  }

  private Report explore() {
    ProcessState none = ProcessState.none(new UUID(0, 0), false, START);
    Path nothing =
        new Path(new ModelWorld(none, Map.of(), List.of()), "start", Optional.empty(), 1);
    take(nothing, "start", new Input.Start("key", "definition", Map.of()), START);
    while (!open.isEmpty()) {
      expand(open.removeLast());
    }
    return new Report(seen.size(), transitions, Map.copyOf(ends));
  }

  /** Adds all states that can follow. */
  private void expand(Path path) {
    ModelWorld world = path.world();
    ProcessState state = world.state();
    laws.checkState(world, path::trace);
    if (state.in(StepState.UNDO_FAILED).findAny().isPresent()) {
      // From here on an operator decides.
      ends.merge(state.status(), 1L, Long::sum);
      return;
    }
    world.commands().forEach((command, out) -> replies(path, command, out));
    if (state.status() == ProcessStatus.RUNNING) {
      if (!engine.safety().isPastNoReturn(graph, state)) {
        take(
            path,
            "cancel",
            new Operated(Verb.CANCEL, Optional.empty(), "operator", "reason"),
            START);
      }
      state.deadline().ifPresent(at -> take(path, "deadline", new TimePassed(), at));
      state
          .in(StepState.WAITING)
          .forEach(
              mark -> {
                mark.due().ifPresent(at -> take(path, "time", new TimePassed(), at));
                if (graph.node(mark.node()) instanceof Node.Await await) {
                  take(
                      path,
                      "signal " + await.signal(),
                      new Input.Signalled(await.signal(), Map.of()),
                      START);
                }
              });
    }
    if (!state.status().isActive()) {
      ends.merge(state.status(), 1L, Long::sum);
    }
  }

  private void replies(Path path, UUID command, Out out) {
    String what = (out.isUndo() ? "undo of " : "") + out.step();
    reply(path, command, what + " done", new Reply.Done(Map.of()));
    reply(path, command, what + " failed for good", new Reply.Failed(FOR_GOOD));
    if (!out.isGivenUp()) {
      reply(path, command, what + " failed for now", new Reply.Failed(FOR_NOW));
      reply(path, command, what + " timed out, not begun", new Reply.TimedOut(false));
      reply(path, command, what + " timed out, maybe done", new Reply.TimedOut(true));
    }
  }

  private void reply(Path path, UUID command, String name, Reply reply) {
    take(path, name, new Replied(command, reply), START);
  }

  /** Applies an input, with all answers of the conditions on the way. */
  private void take(Path path, String name, Input happening, Instant now) {
    ModelWorld before = before(path.world(), happening);
    Deque<List<Boolean>> scripts = new ArrayDeque<>(List.of(List.of()));
    while (!scripts.isEmpty()) {
      List<Boolean> script = scripts.removeLast();
      Answers answers = new Answers(script);
      Ids ids = new Ids(path.ids());
      Environment moment = new Environment(now, TICK, ids::next, answers);
      Result advance = engine.on(path.world().state(), happening, moment);
      if (answers.asked > script.size()) {
        scripts.add(with(script, true));
        scripts.add(with(script, false));
        continue;
      }
      String label = script.isEmpty() ? name : name + " " + script;
      laws.checkTurn(before, advance, () -> with(path.trace(), label));
      if (effects(path, label, before, advance, ids, now)) {
        refuseRepeats(path, label, happening, advance, moment);
      }
    }
  }

  /** Applies the effects of an input that are outside of the process. */
  private static ModelWorld before(ModelWorld world, Input happening) {
    if (!(happening instanceof Replied replied)) {
      return world;
    }
    UUID command = replied.command();
    Out out = world.commands().get(command);
    if (out == null) {
      return world;
    }
    // Another attempt of the same step key: the effect exists already.
    boolean isThere =
        !out.isUndo() && world.effects().contains(out.step()) && isDone(world, out.step());
    ModelWorld ended = world.ended(command);
    if (replied.reply() instanceof Reply.Done) {
      if (out.isUndo()) {
        // The step may have been done again after the undo.
        boolean isDoneAgain = world.state().progress(out.step()).orElseThrow().isDoneWhileUndone();
        return isDoneAgain ? ended : ended.withoutEffect(out.step());
      }
      return isThere ? ended : ended.withEffect(out.step());
    }
    if (replied.reply() instanceof Reply.TimedOut late && late.maybeDone() && !out.isUndo()) {
      return (isThere ? ended : ended.withEffect(out.step()))
          .sent(command, new Out(out.step(), false, true));
    }
    // Another attempt may still have an effect.
    boolean isLast =
        world.commands().entrySet().stream()
            .noneMatch(
                other ->
                    !other.getKey().equals(command)
                        && other.getValue().isGivenUp()
                        && other.getValue().step().equals(out.step()));
    return out.isGivenUp() && isLast && !isKnownDone(world, out.step())
        ? ended.withoutEffect(out.step())
        : ended;
  }

  private static boolean isDone(ModelWorld world, String step) {
    return world.state().progress(step).orElseThrow().state() == StepState.COMPLETED;
  }

  private static boolean isKnownDone(ModelWorld world, String step) {
    StepProgress mark = world.state().progress(step).orElseThrow();
    return !mark.done().isEmpty() || mark.unknown().size() > 1;
  }

  /** Checks that a repeated reply changes nothing. */
  private void refuseRepeats(
      Path path, String name, Input happening, Result advance, Environment moment) {
    if (!(happening instanceof Replied)) {
      return;
    }
    Result again = engine.on(advance.state(), happening, moment);
    boolean nothing =
        again.effects().isEmpty()
            && again.state().status() == advance.state().status()
            && again.outcome() != Result.Outcome.TAKEN
            && again.outcome() != Result.Outcome.LATE;
    if (!nothing) {
      throw ModelCheckException.of(
          graph, "a repeated reply is not a no-op", with(path.trace(), name + ", twice"));
    }
  }

  /** Sends commands and answers a recall both ways; returns whether a new state was found. */
  private boolean effects(
      Path path, String name, ModelWorld before, Result advance, Ids ids, Instant now) {
    ModelWorld world = before.with(advance.state());
    for (Effect effect : advance.effects()) {
      if (effect instanceof Effect.Send send) {
        world = world.sent(send.command(), new Out(send.step(), send.isUndo(), false));
      }
    }
    List<UUID> recalls =
        advance.effects().stream()
            .filter(effect -> effect instanceof Effect.Recall)
            .map(effect -> ((Effect.Recall) effect).command())
            .toList();
    return answer(path, name, world, recalls, ids, now);
  }

  private boolean answer(
      Path path, String name, ModelWorld world, List<UUID> recalls, Ids ids, Instant now) {
    if (recalls.isEmpty()) {
      transitions++;
      return push(new Path(world, name, Optional.of(path), ids.next));
    }
    boolean isNew = false;
    UUID command = recalls.get(0);
    List<UUID> rest = recalls.subList(1, recalls.size());
    for (boolean recalled : new boolean[] {true, false}) {
      Ids more = new Ids(ids.next);
      String step = Objects.requireNonNull(world.commands().get(command)).step();
      String label = name + (recalled ? ", recalled of " : ", too late to recall of ") + step;
      Environment moment = new Environment(now, TICK, more::next, (choice, data) -> false);
      Result advance = engine.on(world.state(), new RecallAnswered(command, recalled), moment);
      ModelWorld told = recalled ? world.ended(command) : world;
      laws.checkTurn(told, advance, () -> with(path.trace(), label));
      ModelWorld next = told.with(advance.state());
      for (Effect effect : advance.effects()) {
        Effect.Send send = (Effect.Send) effect;
        next = next.sent(send.command(), new Out(send.step(), send.isUndo(), false));
      }
      isNew |= answer(path, label, next, rest, more, now);
    }
    return isNew;
  }

  private boolean push(Path path) {
    boolean isNew = seen.add(path.world().key(nodes));
    if (isNew) {
      if (seen.size() > most) {
        throw new IllegalStateException(
            "process '%s' has more than %d states; check its branches one by one"
                .formatted(graph.processType(), most));
      }
      open.add(path);
    }
    return isNew;
  }

  private static <V> List<V> with(List<V> list, V last) {
    List<V> more = new ArrayList<>(list);
    more.add(last);
    return more;
  }

  private static final class Ids {
    private int next;

    Ids(int next) {
      this.next = next;
    }

    UUID next() {
      return new UUID(0, next++);
    }
  }

  /** Answers conditions by a script, and counts the questions. */
  private static final class Answers implements Environment.Decider {
    private final List<Boolean> script;
    private int asked;

    Answers(List<Boolean> script) {
      this.script = script;
    }

    @Override
    public boolean decide(Node.Choice choice, Map<String, Object> data) {
      boolean answer = asked < script.size() && script.get(asked);
      asked++;
      return answer;
    }
  }

  /** RetryRules with the explored number of retries, instead of the definition's. */
  private static final class BoundedRules extends RetryRules {
    private final int retries;

    BoundedRules(String processType, int retries) {
      super(
          new ProcessConfiguration() {
            @Override
            public String getProcessType() {
              return processType;
            }

            @Override
            public ProcessGraph defineProcess() {
              throw new UnsupportedOperationException("it is not built here");
            }
          },
          StepRetry.of(retries, Duration.ZERO, Duration.ZERO));
      this.retries = retries;
    }

    @Override
    public Optional<Duration> retryAfter(Node.Step step, String error, int soFar) {
      return soFar < retries && !error.equals(FOR_GOOD)
          ? Optional.of(Duration.ZERO)
          : Optional.empty();
    }
  }
}
