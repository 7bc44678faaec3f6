package io.postroad.test.model;

import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result;
import io.postroad.internal.process.engine.Result.Logged;
import io.postroad.internal.process.engine.SafetyRules;
import io.postroad.internal.process.engine.Scope;
import io.postroad.internal.process.engine.Scopes;
import io.postroad.internal.process.engine.StepProgress;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessEvent.BranchesJoined;
import io.postroad.process.ProcessEvent.CompensationStarted;
import io.postroad.process.ProcessEvent.StepStarted;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Laws that hold for every process and every order of inputs. Reads the world, not the opinion of
 * the engine. Pure.
 */
final class ModelLaws {
  private final ProcessGraph graph;
  private final Scopes scopes;

  ModelLaws(ProcessGraph graph) {
    this.graph = graph;
    this.scopes = Scopes.of(graph);
  }

  /**
   * Checks one transition.
   *
   * @param before the world after the input, with the process still unchanged
   */
  void checkTurn(ModelWorld before, Result advance, Supplier<List<String>> trace) {
    ProcessStatus was = before.state().status();
    ProcessStatus is = advance.state().status();
    boolean lateUndoFailed =
        was == ProcessStatus.COMPENSATED && is == ProcessStatus.FAILED && hasUndoFailed(advance);
    require(
        was.isActive() || is == was || lateUndoFailed,
        "it left %s for %s".formatted(was, is),
        trace);
    require(
        was != ProcessStatus.COMPENSATING || is != ProcessStatus.RUNNING,
        "it went back from COMPENSATING to RUNNING",
        trace);
    boolean isPast = was != ProcessStatus.RUNNING && was != ProcessStatus.NEW;
    for (Effect effect : advance.effects()) {
      if (effect instanceof Effect.Send send && !send.isUndo()) {
        require(!isPast, "step %s is begun after it failed".formatted(send.step()), trace);
      }
    }
    Set<String> undone = new HashSet<>();
    for (Logged logged : advance.events()) {
      checkEvent(before, advance, logged.event(), undone, trace);
    }
  }

  private static boolean hasUndoFailed(Result advance) {
    return advance.state().in(StepState.UNDO_FAILED).findAny().isPresent();
  }

  private void checkEvent(
      ModelWorld before,
      Result advance,
      ProcessEvent event,
      Set<String> undone,
      Supplier<List<String>> trace) {
    if (event instanceof StepStarted started) {
      require(
          started.attempt() == 1 && before.state().progress(started.step()).isEmpty(),
          "step %s is begun twice".formatted(started.step()),
          trace);
    } else if (event instanceof BranchesJoined joined) {
      checkJoin(before, advance, (Node.Join) graph.node(joined.step()), trace);
    } else if (event instanceof CompensationStarted started) {
      if (before.state().progress(started.step()).orElseThrow().state() != StepState.UNDOING) {
        checkUndo(before, started.step(), trace);
      }
      require(undone.add(started.step()), "two undos of " + started.step(), trace);
    }
  }

  private void checkJoin(
      ModelWorld before, Result advance, Node.Join join, Supplier<List<String>> trace) {
    require(before.state().progress(join.id()).isEmpty(), join.id() + " is reached twice", trace);
    Optional<StepProgress> underWay =
        advance.state().all().stream()
            .filter(mark -> mark.state().isOpen() && isInside(mark.node(), join.fork()))
            .findFirst();
    require(
        underWay.isEmpty(),
        "%s goes on while %s is open".formatted(join.id(), underWay.map(StepProgress::node)),
        trace);
  }

  private boolean isInside(String node, String fork) {
    for (Optional<Scope> scope = scopes.of(node); scope.isPresent(); scope = scope.get().parent()) {
      if (scope.get().fork().equals(fork)) {
        return true;
      }
    }
    return false;
  }

  /** Checks that the last step is undone first, and only steps that may have an effect. */
  private void checkUndo(ModelWorld before, String step, Supplier<List<String>> trace) {
    List<String> undoable = before.effects().stream().filter(graph::requiresCompensation).toList();
    require(
        undoable.contains(step), "step %s is undone, which has no effect".formatted(step), trace);
    List<String> later = undoable.subList(undoable.indexOf(step) + 1, undoable.size());
    require(
        later.stream().allMatch(other -> isStuckOrLate(before, other)),
        "step %s is undone before %s, which came later".formatted(step, later),
        trace);
  }

  /** Whether a step failed to undo, or had its effect only after the process gave it up. */
  private static boolean isStuckOrLate(ModelWorld before, String step) {
    StepState state = before.state().progress(step).orElseThrow().state();
    return state != StepState.COMPLETED && state != StepState.UNKNOWN;
  }

  /** Checks a world between two inputs. */
  void checkState(ModelWorld world, Supplier<List<String>> trace) {
    ProcessState state = world.state();
    boolean isPending =
        world.commands().values().stream().anyMatch(out -> !out.isGivenUp())
            || state.in(StepState.WAITING).findAny().isPresent();
    require(
        !state.status().isActive() || isPending,
        "it is %s and nothing is pending".formatted(state.status()),
        trace);
    if (state.status() == ProcessStatus.SUCCEEDED) {
      checkSucceeded(state, trace);
    } else if (state.status() == ProcessStatus.COMPENSATED
        || state.status() == ProcessStatus.FAILED) {
      checkUndone(world, trace);
    }
  }

  private void checkSucceeded(ProcessState state, Supplier<List<String>> trace) {
    Optional<StepProgress> open =
        state.all().stream().filter(mark -> mark.state().isOpen()).findFirst();
    require(
        open.isEmpty(),
        "it has SUCCEEDED while %s is open".formatted(open.map(StepProgress::node)),
        trace);
    for (StepProgress mark : state.all()) {
      if (graph.node(mark.node()) instanceof Node.Fork fork) {
        require(
            state.progress(fork.join()).isPresent(),
            "it has SUCCEEDED and %s was never joined".formatted(fork.id()),
            trace);
      }
    }
  }

  /** Checks that all effects are undone or being undone, or an undo failed for good. */
  private void checkUndone(ModelWorld world, Supplier<List<String>> trace) {
    ProcessState state = world.state();
    SafetyRules laws = new SafetyRules();
    boolean stays =
        state.in(StepState.UNDO_FAILED).findAny().isPresent()
            || (laws.isPastNoReturn(graph, state) && !laws.hasBegunToUndo(state));
    if (stays) {
      return;
    }
    for (String step : world.effects()) {
      boolean isUndone =
          !graph.requiresCompensation(step)
              || state.progress(step).orElseThrow().state() == StepState.UNDOING;
      require(
          isUndone, "it is %s and step %s was not undone".formatted(state.status(), step), trace);
    }
  }

  private void require(boolean holds, String otherwise, Supplier<List<String>> trace) {
    if (!holds) {
      throw ModelCheckException.of(graph, otherwise, trace.get());
    }
  }
}
