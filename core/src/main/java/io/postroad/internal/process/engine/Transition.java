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

/** One input as it is worked on: the state so far, its events and effects. For one thread. */
final class Transition {
  private final ProcessGraph graph;
  private final Scopes scopes;
  private final EventApplier applier;
  private final RetryRules rules;
  private final SafetyRules safety;
  private final Environment environment;
  private final List<Result.Logged> events = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private ProcessState state;
  private Optional<String> refusal = Optional.empty();

  Transition(
      ProcessGraph graph,
      Scopes scopes,
      EventApplier applier,
      RetryRules rules,
      SafetyRules safety,
      Environment environment,
      ProcessState state) {
    this.graph = graph;
    this.scopes = scopes;
    this.applier = applier;
    this.rules = rules;
    this.safety = safety;
    this.environment = environment;
    this.state = state;
  }

  ProcessGraph graph() {
    return graph;
  }

  Scopes scopes() {
    return scopes;
  }

  RetryRules retries() {
    return rules;
  }

  SafetyRules safety() {
    return safety;
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

  /** Why a command cannot be sent. */
  Optional<String> whyNot(Effect.Send send) {
    return environment.sendCheck().whyNot(state, send);
  }

  /** Later than any event before, even if the clock was set back or two come at once. */
  void record(ProcessEvent event) {
    Instant next = state.seq() == 0 ? environment.now() : state.updatedAt().plus(environment.tick());
    Instant at = next.isAfter(environment.now()) ? next : environment.now();
    Duration after = event.about().map(node -> since(node, at)).orElse(Duration.ZERO);
    state = applier.after(state, event, at);
    events.add(new Result.Logged(event, state.seq(), at, after));
  }

  private Duration since(String node, Instant at) {
    return state.progress(node).map(progress -> Duration.between(progress.since(), at)).orElse(Duration.ZERO);
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  /** Takes back the newest attempt of a step. */
  Effect recall(StepProgress progress) {
    return new Effect.Recall(progress.command().orElseThrow(), step(progress).command());
  }

  /** Takes back the newest attempt to undo a step. */
  Effect recallUndo(StepProgress progress) {
    return new Effect.Recall(progress.undo().orElseThrow(), step(progress).undo().orElseThrow().command());
  }

  Node.Step step(StepProgress progress) {
    return (Node.Step) graph.node(progress.node());
  }

  /** The node one of whose attempts this command is. */
  Optional<StepProgress> progressOf(UUID command) {
    return state.progressOf(command);
  }

  /** The node that this command is to undo. */
  Optional<StepProgress> undoneBy(UUID command) {
    return state.all().stream().filter(progress -> progress.undos().contains(command)).findFirst();
  }

  Outcome refuse(String why) {
    refusal = Optional.of(why);
    return Outcome.REFUSED;
  }

  /** Why the input was refused, if it was. */
  Optional<String> refusal() {
    return refusal;
  }

  Result result(Outcome outcome) {
    return new Result(state, events, effects, outcome, refusal);
  }
}
