package io.postroad.internal.process.engine;

import io.postroad.internal.process.engine.Snapshot.Failure;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import io.postroad.spi.process.ProcessIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The state of a process: the sum of its events, and the command that a node carries. Immutable.
 *
 * @param identity the part that never changes after the start
 * @param status the status of the whole process
 * @param isPaused whether the process begins no new step
 * @param data the data that all steps see
 * @param snapshot everything else, down to each step
 * @param seq the number of the newest event
 * @param updatedAt the time of the newest event
 */
public record ProcessState(
    ProcessIdentity identity,
    ProcessStatus status,
    boolean isPaused,
    Map<String, Object> data,
    Snapshot snapshot,
    long seq,
    Instant updatedAt) {

  /**
   * A command that a node runs without a row.
   *
   * @param command the id of the command
   * @param node the node that runs it
   * @param until a node that finds the process after this time writes the row
   */
  public record Carried(UUID command, String node, Instant until) {}

  /** Returns a process that has no event yet. */
  public static ProcessState none(UUID id, boolean isUnique, Instant now) {
    return new ProcessState(
        new ProcessIdentity(id, "", "", isUnique, "", now),
        ProcessStatus.NEW,
        false,
        Map.of(),
        Snapshot.EMPTY,
        0,
        now);
  }

  public UUID id() {
    return identity.id();
  }

  public String type() {
    return identity.type();
  }

  public String businessKey() {
    return identity.businessKey();
  }

  public String definition() {
    return identity.definition();
  }

  /** Returns the first failure of a process that is undone or has failed. */
  public Optional<Failure> failure() {
    return snapshot.failure();
  }

  /** Returns the branches that have arrived at a join. */
  public List<Integer> arrived(String join) {
    return snapshot.arrived().getOrDefault(join, List.of());
  }

  Map<String, Object> branch(Scope scope) {
    return snapshot.branchData().getOrDefault(scope.name(), Map.of());
  }

  /** Returns the signals of this name that came too early, the oldest first. */
  List<Map<String, Object>> early(String signal) {
    return snapshot.signals().getOrDefault(signal, List.of());
  }

  /** Returns when the whole process fails. */
  public Optional<Instant> deadline() {
    return snapshot.deadline();
  }

  public Optional<Carried> carried() {
    return snapshot.carried();
  }

  public List<ProcessEvent.RequestQueued> requests() {
    return snapshot.requests();
  }

  public Optional<StepProgress> progress(String node) {
    return all().stream().filter(step -> step.node().equals(node)).findFirst();
  }

  /** Returns the nodes that were reached, in that order. */
  public List<StepProgress> all() {
    return snapshot.steps();
  }

  public Stream<StepProgress> in(StepState wanted) {
    return all().stream().filter(step -> step.state() == wanted);
  }

  /** Returns when the next timer fires; empty while the process is paused. */
  public Optional<Instant> timer() {
    if (isPaused || status != ProcessStatus.RUNNING) {
      return Optional.empty();
    }
    return Stream.concat(deadline().stream(), in(StepState.WAITING).flatMap(m -> m.due().stream()))
        .min(Instant::compareTo);
  }

  /**
   * Returns when the process needs attention: its next timer fires, the time of a carried command
   * ends, or at once for a queued request.
   */
  public Optional<Instant> due() {
    Stream<Instant> carriedUntil =
        status.isActive() ? carried().map(Carried::until).stream() : Stream.empty();
    Stream<Instant> asked = requests().isEmpty() ? Stream.empty() : Stream.of(identity.createdAt());
    return Stream.of(timer().stream(), carriedUntil, asked)
        .flatMap(times -> times)
        .min(Instant::compareTo);
  }

  /** Returns the same state with this command as the carried one. */
  public ProcessState carrying(Optional<Carried> command) {
    if (command.equals(carried())) {
      return this;
    }
    Draft draft = change();
    draft.carried = command;
    return draft.numbered(seq, updatedAt);
  }

  /** Returns the step that this command is an attempt of. */
  Optional<StepProgress> progressOf(UUID command) {
    return all().stream().filter(step -> step.commands().contains(command)).findFirst();
  }

  /** Returns whether the process waits for this command of a step. */
  public boolean isRunning(UUID command) {
    return all().stream().anyMatch(step -> step.running().contains(command));
  }

  /** Returns whether the process waits for at most one command and has no data of branches. */
  public boolean isSingle() {
    return snapshot.branchData().isEmpty()
        && all().stream().mapToInt(step -> step.running().size()).sum() <= 1;
  }

  /** Returns whether an operator has terminated the process. */
  boolean isTerminated() {
    return failure().filter(failure -> failure.kind() == FailureKind.TERMINATED).isPresent();
  }

  /** Returns the kind of failure that matters most to an operator. */
  public Optional<FailureKind> failureKind() {
    return failure()
        .map(
            failure ->
                failure.undoError().isPresent() ? FailureKind.COMPENSATION_FAILED : failure.kind());
  }

  /** Returns the first error, followed by the error of an undo that failed. */
  public Optional<String> failureText() {
    return failure()
        .map(
            failure ->
                failure.text()
                    + failure.undoError().map("; then its undo failed: "::concat).orElse(""));
  }

  public Draft change() {
    return new Draft(this);
  }

  /** Returns a copy of a map that keeps its order, with one entry added or replaced. */
  static <V> Map<String, V> with(Map<String, V> map, String key, V value) {
    Map<String, V> more = new LinkedHashMap<>(map);
    more.put(key, value);
    return Collections.unmodifiableMap(more);
  }

  static <V> Map<String, V> without(Map<String, V> map, String key) {
    Map<String, V> fewer = new LinkedHashMap<>(map);
    fewer.remove(key);
    return Collections.unmodifiableMap(fewer);
  }

  /** Returns the entries of both maps; {@code over} wins where both have a key. */
  static Map<String, Object> merged(Map<String, Object> base, Map<String, Object> over) {
    if (over.isEmpty()) {
      return base;
    }
    Map<String, Object> both = new LinkedHashMap<>(base);
    both.putAll(over);
    return Collections.unmodifiableMap(both);
  }

  /** The changes of one event. Belongs to one thread. */
  public static final class Draft {
    private final ProcessState from;
    ProcessIdentity identity;
    public ProcessStatus status;
    public boolean isPaused;
    Map<String, Object> data;
    public Optional<Failure> failure;
    List<StepProgress> steps;
    Map<String, List<Integer>> arrived;
    Map<String, Map<String, Object>> branchData;
    Map<String, List<Map<String, Object>>> signals;
    Optional<Instant> deadline;
    private Optional<Carried> carried;
    List<ProcessEvent.RequestQueued> requests;

    private Draft(ProcessState from) {
      this.from = from;
      identity = from.identity;
      status = from.status;
      isPaused = from.isPaused;
      data = from.data;
      failure = from.snapshot.failure();
      steps = from.snapshot.steps();
      arrived = from.snapshot.arrived();
      branchData = from.snapshot.branchData();
      signals = from.snapshot.signals();
      deadline = from.snapshot.deadline();
      carried = from.snapshot.carried();
      requests = from.snapshot.requests();
    }

    /** Replaces the progress of a node, or adds it at the end. */
    void put(StepProgress changed) {
      List<StepProgress> all = new ArrayList<>(steps);
      int index = 0;
      while (index < all.size() && !all.get(index).node().equals(changed.node())) {
        index++;
      }
      if (index < all.size()) {
        all.set(index, changed);
      } else {
        all.add(changed);
      }
      steps = Collections.unmodifiableList(all);
    }

    /** Returns the progress of a node; a fresh one for a node that was not reached before. */
    StepProgress progress(String node, Instant at) {
      return steps.stream()
          .filter(step -> step.node().equals(node))
          .findFirst()
          .orElseGet(() -> StepProgress.of(node, StepState.HELD, at));
    }

    /** Returns the position of the step that is done next: 1, 2, 3 ... */
    long nextOrder() {
      return 1 + steps.stream().mapToLong(StepProgress::order).max().orElse(0);
    }

    Map<String, Object> branch(String scope) {
      return branchData.getOrDefault(scope, Map.of());
    }

    /** Returns the state after one more event. */
    public ProcessState at(Instant time) {
      return numbered(from.seq + 1, time);
    }

    private ProcessState numbered(long seq, Instant time) {
      Snapshot snapshot =
          new Snapshot(failure, steps, arrived, branchData, signals, deadline, carried, requests);
      return new ProcessState(identity, status, isPaused, data, snapshot, seq, time);
    }
  }
}
