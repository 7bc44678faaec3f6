package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Result.Outcome;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Collects the state, events and effects of one input. For one thread. */
final class Transition {
  private final Engine engine;
  private final Environment environment;
  private final List<Result.Logged> events = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private ProcessState state;
  private Optional<String> refusal = Optional.empty();

  Transition(Engine engine, Environment environment, ProcessState state) {
    this.engine = engine;
    this.environment = environment;
    this.state = state;
  }

  ProcessGraph graph() {
    return engine.graph();
  }

  Scopes scopes() {
    return engine.scopes();
  }

  RetryRules retries() {
    return engine.retries();
  }

  SafetyRules safety() {
    return engine.safety();
  }

  ProcessState state() {
    return state;
  }

  Instant now() {
    return environment.now();
  }

  UUID newId() {
    return environment.ids().get();
  }

  boolean decide(Node.Choice choice, Map<String, Object> data) {
    return environment.decider().decide(choice, data);
  }

  /** Returns why a command cannot be sent. */
  Optional<String> whyNot(Effect.Send send) {
    return environment.sendCheck().whyNot(state, send);
  }

  /**
   * Applies and logs an event, with a time after all earlier events even if the clock went back.
   */
  void record(ProcessEvent event) {
    Instant next =
        state.seq() == 0 ? environment.now() : state.updatedAt().plus(environment.tick());
    Instant at = next.isAfter(environment.now()) ? next : environment.now();
    Duration after = event.about().map(node -> since(node, at)).orElse(Duration.ZERO);
    state = engine.after(state, event, at);
    events.add(new Result.Logged(event, state.seq(), at, after));
  }

  private Duration since(String node, Instant at) {
    return state
        .progress(node)
        .map(progress -> Duration.between(progress.since(), at))
        .orElse(Duration.ZERO);
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  /** Returns the order to recall the newest attempt of a step. */
  Effect recall(StepProgress progress) {
    return new Effect.Recall(progress.command().orElseThrow(), step(progress).command());
  }

  /** Returns the order to recall the newest attempt to undo a step. */
  Effect recallUndo(StepProgress progress) {
    return new Effect.Recall(
        progress.undo().orElseThrow(), step(progress).undo().orElseThrow().command());
  }

  Node.Step step(StepProgress progress) {
    return (Node.Step) graph().node(progress.node());
  }

  /** Returns the step that this command is an attempt of. */
  Optional<StepProgress> progressOf(UUID command) {
    return state.progressOf(command);
  }

  /** Returns the step that this command undoes. */
  Optional<StepProgress> undoneBy(UUID command) {
    return state.all().stream().filter(progress -> progress.undos().contains(command)).findFirst();
  }

  Outcome refuse(String why) {
    refusal = Optional.of(why);
    return Outcome.REFUSED;
  }

  /** Returns why the input was refused. */
  Optional<String> refusal() {
    return refusal;
  }

  Result result(Outcome outcome) {
    return new Result(state, events, effects, outcome, refusal);
  }
}
