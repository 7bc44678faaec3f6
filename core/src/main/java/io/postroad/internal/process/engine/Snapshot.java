package io.postroad.internal.process.engine;

import io.postroad.internal.process.record.Sparse;
import io.postroad.process.FailureKind;
import io.postroad.process.ProcessEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a {@link ProcessState} that is stored as one JSON text. Immutable.
 *
 * @param failure why the process is undone or has failed
 * @param steps the nodes that were reached, in that order
 * @param arrived the branches that have arrived at a join, by the id of the join
 * @param branchData the data of branches that have not been joined, by {@link Scope#name()}
 * @param signals the signals that came before the process waited for them, by name, oldest first
 * @param deadline when the whole process fails
 * @param carried the command that a node runs without a row
 * @param requests the requests that wait for a node which can apply them, oldest first
 */
@Sparse
public record Snapshot(
    Optional<Failure> failure,
    List<StepProgress> steps,
    Map<String, List<Integer>> arrived,
    Map<String, Map<String, Object>> branchData,
    Map<String, List<Map<String, Object>>> signals,
    Optional<Instant> deadline,
    Optional<ProcessState.Carried> carried,
    List<ProcessEvent.RequestQueued> requests) {

  static final Snapshot EMPTY =
      new Snapshot(
          Optional.empty(),
          List.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          List.of());

  /**
   * The reason why a process is undone or has failed.
   *
   * @param kind the kind of the first failure
   * @param text the first error
   * @param undoError the error of an undo that failed for good
   */
  public record Failure(FailureKind kind, String text, Optional<String> undoError) {}
}
