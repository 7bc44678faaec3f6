package io.postroad.internal.process.engine;

import io.postroad.process.FailureKind;
import io.postroad.process.ProcessEvent;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Where a process stands: what its events add up to, and what is carried. Immutable.
 *
 * @param id of the process
 * @param type of the process
 * @param businessKey what it is about
 * @param definition the hash of the graph it runs on
 * @param status where it is as a whole
 * @param isPaused whether nothing new is begun
 * @param kind why it is undone or has failed
 * @param failure the first thing that went wrong
 * @param undoFailure why an undo failed for good
 * @param seq the number of the newest event
 * @param done how many steps were done so far, to number them
 * @param data what its steps know
 * @param branchData the same of branches that have not met yet, by {@link Scope#name()}
 * @param arrived the branches that are at a join, by its id
 * @param signals that came before the process waited for them, by name, the oldest first
 * @param steps of the nodes that were reached, in that order
 * @param deadline when it fails as a whole
 * @param carried the command that a node goes on with, and that has no row
 * @param requests that are queued for a node that can do them, the oldest first
 * @param createdAt when it was started
 * @param updatedAt the time of the newest event
 */
public record ProcessState(
    UUID id,
    String type,
    String businessKey,
    String definition,
    ProcessStatus status,
    boolean isPaused,
    Optional<FailureKind> kind,
    Optional<String> failure,
    Optional<String> undoFailure,
    long seq,
    long done,
    Map<String, Object> data,
    Map<String, Map<String, Object>> branchData,
    Map<String, List<Integer>> arrived,
    Map<String, List<Map<String, Object>>> signals,
    Map<String, StepProgress> steps,
    Optional<Instant> deadline,
    Optional<Carried> carried,
    List<ProcessEvent.RequestQueued> requests,
    Instant createdAt,
    Instant updatedAt) {

  /**
   * A command that a node goes on with, and that has no row.
   *
   * @param command its id
   * @param node that has it
   * @param until whoever finds it later than this writes it for all
   */
  public record Carried(UUID command, String node, Instant until) {}

  /** One that has no event yet. */
  public static ProcessState none(UUID id, Instant now) {
    return new ProcessState(
        id,
        "",
        "",
        "",
        ProcessStatus.NEW,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        now,
        now);
  }

  public Optional<StepProgress> progress(String node) {
    return Optional.ofNullable(steps.get(node));
  }

  public Collection<StepProgress> all() {
    return steps.values();
  }

  public Stream<StepProgress> in(StepState wanted) {
    return steps.values().stream().filter(progress -> progress.state() == wanted);
  }

  /** When its next timer fires; never while it is paused. */
  public Optional<Instant> timer() {
    if (isPaused || status != ProcessStatus.RUNNING) {
      return Optional.empty();
    }
    return Stream.concat(deadline.stream(), in(StepState.WAITING).flatMap(m -> m.due().stream()))
        .min(Instant::compareTo);
  }

  /**
   * When its next timer fires, what is carried has to be looked for, or a request is to be done:
   * now.
   */
  public Optional<Instant> due() {
    Stream<Instant> look =
        status.isActive() ? carried.map(Carried::until).stream() : Stream.empty();
    Stream<Instant> asked = requests.isEmpty() ? Stream.empty() : Stream.of(createdAt);
    return Stream.of(timer().stream(), look, asked).flatMap(times -> times).min(Instant::compareTo);
  }

  /** The same, of which this command is carried. */
  public ProcessState carrying(Optional<Carried> command) {
    if (command.equals(carried)) {
      return this;
    }
    Draft draft = change();
    draft.carried = command;
    return draft.numbered(seq, updatedAt);
  }

  /** The node one of whose attempts this command is. */
  Optional<StepProgress> progressOf(UUID command) {
    return all().stream().filter(progress -> progress.commands().contains(command)).findFirst();
  }

  /** Whether it waits for this command of a step. */
  public boolean isRunning(UUID command) {
    return all().stream().anyMatch(progress -> progress.running().contains(command));
  }

  /** Whether it waits for one command of a step at most, and has no branches that have data. */
  public boolean isSingle() {
    return branchData.isEmpty()
        && all().stream().mapToInt(progress -> progress.running().size()).sum() <= 1;
  }

  /** Whether an operator has ended it as it stands. */
  boolean isTerminated() {
    return kind.filter(FailureKind.TERMINATED::equals).isPresent();
  }

  /** Why it is undone or has failed: what matters most to whoever looks after it. */
  public Optional<FailureKind> failureKind() {
    return undoFailure.isPresent() ? Optional.of(FailureKind.COMPENSATION_FAILED) : kind;
  }

  /** The first thing that went wrong, and what went wrong with undoing it. */
  public Optional<String> failureText() {
    return undoFailure.isEmpty()
        ? failure
        : failure.map(first -> first + "; then its undo failed: " + undoFailure.get());
  }

  public Draft change() {
    return new Draft(this);
  }

  /** A copy of a map that keeps its order, with one entry more or another one. */
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

  /** Both, and where both have a key, what {@code over} says. */
  static Map<String, Object> merged(Map<String, Object> base, Map<String, Object> over) {
    if (over.isEmpty()) {
      return base;
    }
    Map<String, Object> both = new LinkedHashMap<>(base);
    both.putAll(over);
    return Collections.unmodifiableMap(both);
  }

  /** What is changed by one event. Belongs to one thread. */
  public static final class Draft {
    private final ProcessState from;
    String type;
    String businessKey;
    String definition;
    public ProcessStatus status;
    public boolean isPaused;
    public Optional<FailureKind> kind;
    public Optional<String> failure;
    Optional<String> undoFailure;
    long done;
    Map<String, Object> data;
    Map<String, Map<String, Object>> branchData;
    Map<String, List<Integer>> arrived;
    Map<String, List<Map<String, Object>>> signals;
    Map<String, StepProgress> steps;
    Optional<Instant> deadline;
    List<ProcessEvent.RequestQueued> requests;
    private Optional<Carried> carried;

    private Draft(ProcessState from) {
      this.from = from;
      type = from.type;
      businessKey = from.businessKey;
      definition = from.definition;
      status = from.status;
      isPaused = from.isPaused;
      kind = from.kind;
      failure = from.failure;
      undoFailure = from.undoFailure;
      done = from.done;
      data = from.data;
      branchData = from.branchData;
      arrived = from.arrived;
      signals = from.signals;
      steps = from.steps;
      deadline = from.deadline;
      carried = from.carried;
      requests = from.requests;
    }

    void put(StepProgress progress) {
      steps = with(steps, progress.node(), progress);
    }

    /** The progress of a node; a fresh one when it was not reached before. */
    StepProgress progress(String node, Instant at) {
      StepProgress known = steps.get(node);
      return known == null ? StepProgress.of(node, StepState.HELD, at) : known;
    }

    Map<String, Object> branch(String scope) {
      return branchData.getOrDefault(scope, Map.of());
    }

    /** What it is after one more event. */
    public ProcessState at(Instant time) {
      return numbered(from.seq + 1, time);
    }

    private ProcessState numbered(long seq, Instant time) {
      return new ProcessState(
          from.id,
          type,
          businessKey,
          definition,
          status,
          isPaused,
          kind,
          failure,
          undoFailure,
          seq,
          done,
          data,
          branchData,
          arrived,
          signals,
          steps,
          deadline,
          carried,
          requests,
          from.createdAt,
          time);
    }
  }
}
