package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Snapshot.Failure;
import io.postroad.internal.process.engine.StepCommand.End;
import io.postroad.process.FailureKind;
import io.postroad.process.Node;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessEvent.*;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import io.postroad.spi.process.ProcessIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Applies an event to a state: {@code (state, event) -> state}. Pure. Every change of a state goes
 * through here, so the log of a process adds up to its state. Safe to use from many threads.
 */
final class EventApplier {
  private final ProcessGraph graph;
  private final Scopes scopes;

  EventApplier(ProcessGraph graph, Scopes scopes) {
    this.graph = graph;
    this.scopes = scopes;
  }

  ProcessState after(ProcessState state, ProcessEvent event, Instant at) {
    ProcessState.Draft draft = state.change();
    if (event instanceof OfStep step) {
      ofStep(draft, step, at);
    } else {
      ofProcess(draft, event, at);
    }
    return draft.at(at);
  }

  private void ofProcess(ProcessState.Draft draft, ProcessEvent event, Instant at) {
    if (event instanceof ProcessStarted started) {
      ProcessIdentity none = draft.identity;
      draft.identity =
          new ProcessIdentity(
              none.id(),
              started.processType(),
              started.businessKey(),
              none.isUnique(),
              started.definition(),
              none.createdAt());
      draft.data = started.data();
      draft.deadline = started.deadline();
      draft.status = ProcessStatus.RUNNING;
    } else if (event instanceof SignalKept kept) {
      List<Map<String, Object>> early = new ArrayList<>(early(draft, kept.signal()));
      early.add(kept.data());
      draft.signals = ProcessState.with(draft.signals, kept.signal(), List.copyOf(early));
    } else if (event instanceof RequestQueued queued) {
      List<RequestQueued> more = new ArrayList<>(draft.requests);
      more.add(queued);
      draft.requests = List.copyOf(more);
    } else if (event instanceof RequestTaken) {
      draft.requests = draft.requests.subList(1, draft.requests.size());
    } else if (event instanceof ProcessPaused) {
      draft.isPaused = true;
    } else if (event instanceof ProcessResumed) {
      draft.isPaused = false;
    } else if (event instanceof ProcessCompensating failing) {
      draft.status = ProcessStatus.COMPENSATING;
      draft.failure = Optional.of(new Failure(failing.kind(), failing.error(), Optional.empty()));
    } else if (event instanceof ProcessReopened reopened) {
      reopen(draft, reopened.status(), at);
    } else if (event instanceof ProcessCompleted) {
      draft.status = ProcessStatus.SUCCEEDED;
    } else if (event instanceof ProcessCompensated) {
      draft.status = ProcessStatus.COMPENSATED;
    } else if (event instanceof ProcessFailed failed) {
      fail(draft, failed);
    }
  }

  /** Keeps the first cause; a termination by an operator replaces its kind. */
  private static void fail(ProcessState.Draft draft, ProcessFailed failed) {
    draft.status = ProcessStatus.FAILED;
    Optional<Failure> first = draft.failure;
    if (first.isEmpty()) {
      draft.failure = Optional.of(new Failure(failed.kind(), failed.error(), Optional.empty()));
    } else if (failed.kind() == FailureKind.TERMINATED) {
      draft.failure =
          first.map(
              known ->
                  new Failure(
                      failed.kind(), known.text() + "; then " + failed.error(), known.undoError()));
    }
  }

  /** Drops a deadline that has passed: it would end the process again. */
  private static void reopen(ProcessState.Draft draft, ProcessStatus status, Instant at) {
    draft.status = status;
    draft.failure =
        draft.failure.map(first -> new Failure(first.kind(), first.text(), Optional.empty()));
    if (status == ProcessStatus.RUNNING) {
      draft.deadline = draft.deadline.filter(at::isBefore);
      draft.failure = Optional.empty();
      for (StepProgress progress : draft.steps) {
        draft.put(progress.state().isGivenUp() ? progress.withAttempts(0) : progress);
      }
    }
  }

  private void ofStep(ProcessState.Draft draft, OfStep event, Instant at) {
    StepProgress progress = draft.progress(event.step(), at);
    if (event instanceof StepStarted started) {
      draft.put(
          progress.to(StepState.QUEUED, at).withAttempt(started.command(), started.request()));
    } else if (event instanceof RetryScheduled retry) {
      draft.put(progress.to(StepState.RETRYING, at).withAttempt(retry.command(), retry.request()));
    } else if (event instanceof StepHeld) {
      draft.put(progress.to(StepState.HELD, at));
    } else if (event instanceof StepCompleted completed) {
      done(draft, progress.ended(completed.command(), End.DONE), completed.data(), at);
      merge(draft, scopes.of(progress.node()), completed.data());
    } else if (event instanceof StepFailed failed) {
      StepProgress known =
          failed.command().map(id -> progress.ended(id, End.FAILED)).orElse(progress);
      draft.put(known.to(StepState.FAILED, at).withError(failed.error()));
    } else if (event instanceof StepUndelivered lost) {
      StepProgress known = progress.ended(lost.command(), End.NOT_BEGUN);
      draft.put(known.to(StepState.FAILED, at).withError(lost.error()));
    } else if (event instanceof StepTimedOut late) {
      draft.put(timedOut(draft, progress, late, at).withError(late.error()));
    } else if (event instanceof StepRecalled recalled) {
      StepProgress known =
          recalled.command().map(id -> progress.ended(id, End.NOT_BEGUN)).orElse(progress);
      draft.put(known.to(StepState.RECALLED, at));
    } else if (event instanceof AttemptRecalled recalled) {
      draft.put(progress.ended(recalled.command(), End.NOT_BEGUN));
    } else if (event instanceof AttemptTimedOut late) {
      draft.put(progress.ended(late.command(), late.maybeDone() ? End.UNKNOWN : End.NOT_BEGUN));
    } else if (event instanceof StepSkipped) {
      draft.put(progress.to(StepState.SKIPPED, at));
    } else if (event instanceof LateEffect late) {
      late(draft, progress.ended(late.command(), End.DONE), late, at);
    } else if (event instanceof NotDone notDone) {
      StepProgress known = progress.ended(notDone.command(), End.FAILED);
      boolean settled = known.state() == StepState.UNKNOWN && !known.isMaybeDone();
      draft.put(settled ? known.to(StepState.FAILED, at) : known);
    } else {
      ofPoint(draft, event, progress, at);
      ofUndo(draft, event, progress, at);
    }
  }

  /** Applies an event of a condition, fork, join or wait. */
  private void ofPoint(ProcessState.Draft draft, OfStep event, StepProgress progress, Instant at) {
    if (event instanceof ConditionEvaluated answer) {
      draft.put(progress.to(StepState.COMPLETED, at).withReply(Map.of("result", answer.result())));
    } else if (event instanceof ConditionFailed failed) {
      draft.put(progress.to(StepState.FAILED, at).withError(failed.error()));
    } else if (event instanceof BranchesStarted || event instanceof WaitCompleted) {
      draft.put(progress.to(StepState.COMPLETED, at));
    } else if (event instanceof BranchArrived arrived) {
      List<Integer> all = new ArrayList<>(draft.arrived.getOrDefault(progress.node(), List.of()));
      all.add(arrived.branch());
      draft.arrived = ProcessState.with(draft.arrived, progress.node(), List.copyOf(all));
    } else if (event instanceof BranchesJoined) {
      join(draft, (Node.Join) graph.node(progress.node()));
      draft.put(progress.to(StepState.COMPLETED, at));
    } else if (event instanceof WaitStarted wait) {
      draft.put(progress.to(StepState.WAITING, at).withDue(Optional.of(wait.until())));
    } else if (event instanceof SignalAwaited awaited) {
      draft.put(progress.to(StepState.WAITING, at).withDue(awaited.until()));
    } else if (event instanceof SignalReceived received) {
      List<Map<String, Object>> early = early(draft, received.signal());
      draft.signals =
          early.size() <= 1
              ? ProcessState.without(draft.signals, received.signal())
              : ProcessState.with(draft.signals, received.signal(), early.subList(1, early.size()));
      draft.put(progress.to(StepState.COMPLETED, at));
      merge(draft, scopes.of(progress.node()), received.data());
    } else if (event instanceof SignalTimedOut timedOut) {
      draft.put(
          progress
              .to(StepState.FAILED, at)
              .withError("signal '%s' did not come in time".formatted(timedOut.signal())));
    }
  }

  private static void ofUndo(
      ProcessState.Draft draft, OfStep event, StepProgress progress, Instant at) {
    if (event instanceof CompensationStarted started) {
      draft.put(progress.to(StepState.UNDOING, at).withUndo(started.command()));
    } else if (event instanceof CompensationCompleted) {
      StepProgress undone = progress.settled();
      draft.put(
          progress.isDoneWhileUndone()
              ? undone.to(StepState.COMPLETED, at).withOrder(draft.nextOrder())
              : undone.to(StepState.UNDONE, at));
    } else if (event instanceof CompensationSkipped skipped) {
      draft.put(
          progress
              .to(StepState.UNDONE, at)
              .settled()
              .withError("undo skipped: " + skipped.reason()));
    } else if (event instanceof CompensationFailed failed) {
      // Until the next attempt the step counts as done and not yet undone.
      StepState next = failed.isFinal() ? StepState.UNDO_FAILED : StepState.COMPLETED;
      draft.put(progress.to(next, at).withError(failed.error()));
      if (failed.isFinal()) {
        draft.failure =
            draft.failure.map(
                first -> new Failure(first.kind(), first.text(), Optional.of(failed.error())));
      }
    }
  }

  private static List<Map<String, Object>> early(ProcessState.Draft draft, String signal) {
    return draft.signals.getOrDefault(signal, List.of());
  }

  /** Gives a step that may have been done its place in the order of undos. */
  private static StepProgress timedOut(
      ProcessState.Draft draft, StepProgress progress, StepTimedOut late, Instant at) {
    return late.maybeDone()
        ? progress
            .ended(late.command(), End.UNKNOWN)
            .to(StepState.UNKNOWN, at)
            .withOrder(draft.nextOrder())
        : progress.ended(late.command(), End.NOT_BEGUN).to(StepState.FAILED, at);
  }

  /**
   * Applies a late reply. A step that is being undone gets the data for its undo. A step that was
   * given up counts as completed, so that an operator can let the process continue from it.
   */
  private void late(ProcessState.Draft draft, StepProgress progress, LateEffect late, Instant at) {
    if (progress.state() == StepState.COMPLETED) {
      draft.put(progress);
    } else if (progress.state() == StepState.UNDOING) {
      // The undo may have run before it, so the step is undone once more when this undo has ended.
      draft.put(progress.withReply(late.data()).ended(late.command(), End.DONE_DURING_UNDO));
    } else if (progress.state() == StepState.UNDO_FAILED) {
      draft.put(progress.withReply(late.data()));
    } else {
      done(draft, progress, late.data(), at);
      if (progress.state().isGivenUp()) {
        merge(draft, scopes.of(progress.node()), late.data());
      }
    }
  }

  private void done(
      ProcessState.Draft draft, StepProgress progress, Map<String, Object> data, Instant at) {
    Map<String, Object> kept = graph.requiresCompensation(progress.node()) ? data : Map.of();
    draft.put(progress.to(StepState.COMPLETED, at).withOrder(draft.nextOrder()).withReply(kept));
  }

  private static void merge(
      ProcessState.Draft draft, Optional<Scope> scope, Map<String, Object> data) {
    if (scope.isEmpty()) {
      draft.data = ProcessState.merged(draft.data, data);
    } else {
      String name = scope.get().name();
      draft.branchData =
          ProcessState.with(draft.branchData, name, ProcessState.merged(draft.branch(name), data));
    }
  }

  /** Merges the data of the branches in the order of the definition. */
  private void join(ProcessState.Draft draft, Node.Join join) {
    Node.Fork fork = (Node.Fork) graph.node(join.fork());
    Optional<Scope> outer = scopes.of(join.id());
    for (int branch = 0; branch < fork.branches().size(); branch++) {
      String name = new Scope(fork.id(), branch, outer).name();
      merge(draft, outer, draft.branch(name));
      draft.branchData = ProcessState.without(draft.branchData, name);
    }
  }
}
