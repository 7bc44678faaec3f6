package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Advance.Verdict;
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

/** One happening as it is worked on: the state so far, its events and effects. For one thread. */
final class Turn {
  private final ProcessGraph graph;
  private final Scopes scopes;
  private final Evolution evolution;
  private final Rules rules;
  private final Laws laws;
  private final Moment moment;
  private final List<Advance.Logged> events = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private ProcessState state;
  private Optional<String> refusal = Optional.empty();

  Turn(
      ProcessGraph graph,
      Scopes scopes,
      Evolution evolution,
      Rules rules,
      Laws laws,
      Moment moment,
      ProcessState state) {
    this.graph = graph;
    this.scopes = scopes;
    this.evolution = evolution;
    this.rules = rules;
    this.laws = laws;
    this.moment = moment;
    this.state = state;
  }

  ProcessGraph graph() {
    return graph;
  }

  Scopes scopes() {
    return scopes;
  }

  Rules rules() {
    return rules;
  }

  Laws laws() {
    return laws;
  }

  ProcessState state() {
    return state;
  }

  Instant now() {
    return moment.now();
  }

  UUID newId() {
    return moment.ids().get();
  }

  boolean decide(Node.Choice choice, Map<String, Object> data) {
    return moment.decider().decide(choice, data);
  }

  /** Why a command cannot be sent. */
  Optional<String> whyNot(Effect.Send send) {
    return moment.gate().whyNot(state, send);
  }

  /** Later than any event before, even if the clock was set back or two come at once. */
  void record(ProcessEvent event) {
    Instant next = state.seq() == 0 ? moment.now() : state.updatedAt().plus(moment.tick());
    Instant at = next.isAfter(moment.now()) ? next : moment.now();
    Duration after = event.about().map(node -> since(node, at)).orElse(Duration.ZERO);
    state = evolution.after(state, event, at);
    events.add(new Advance.Logged(event, state.seq(), at, after));
  }

  private Duration since(String node, Instant at) {
    return state.mark(node).map(mark -> Duration.between(mark.since(), at)).orElse(Duration.ZERO);
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  /** Takes back the newest attempt of a step. */
  Effect recall(StepMark mark) {
    return new Effect.Recall(mark.command().orElseThrow(), step(mark).command());
  }

  /** Takes back the newest attempt to undo a step. */
  Effect recallUndo(StepMark mark) {
    return new Effect.Recall(mark.undo().orElseThrow(), step(mark).undo().orElseThrow().command());
  }

  Node.Step step(StepMark mark) {
    return (Node.Step) graph.node(mark.node());
  }

  /** The node one of whose attempts this command is. */
  Optional<StepMark> markOf(UUID command) {
    return state.markOf(command);
  }

  /** The node that this command is to undo. */
  Optional<StepMark> undoneBy(UUID command) {
    return state.all().stream().filter(mark -> mark.undos().contains(command)).findFirst();
  }

  Verdict refuse(String why) {
    refusal = Optional.of(why);
    return Verdict.REFUSED;
  }

  /** Why the happening was refused, if it was. */
  Optional<String> refusal() {
    return refusal;
  }

  Advance advance(Verdict verdict) {
    return new Advance(state, events, effects, verdict, refusal);
  }
}
