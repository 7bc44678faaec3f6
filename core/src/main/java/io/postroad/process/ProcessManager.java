package io.postroad.process;

import io.postroad.command.CommandReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Starts processes and moves them on: START, STEP, COMPENSATE.
 *
 * <p>What a step did in this database, where its process stands, the next command and the log are
 * one commit: a crash leaves all of it or nothing, and another node goes on. Safe to use from many
 * threads. Verbs join the unit of work that their thread is in, or open one of their own.
 *
 * <p>A node may not have all that a process needs: its definition came with a newer release. There
 * {@code explain}, {@code previewCancel}, {@code pause} and {@code terminate} work from the stored
 * definition. The other verbs and {@code signal} are checked, queued with the process, and done by
 * a node that has the definition; what that node refuses is in the log of the process.
 *
 * @param <T> what a transaction of the database is
 */
public interface ProcessManager<T> {

  /**
   * Starts a process. When the unit commits it is RUNNING and its first command is on its way; when
   * it rolls back there is no trace.
   *
   * @param data what the steps need; anything that JSON can hold
   * @return the id of the process
   * @throws ProcessAlreadyActiveException when one of this type is active with this business key,
   *     unless {@link ProcessOptions#startPolicy()} says otherwise
   * @throws IllegalArgumentException when the type is not known, or the data is incomplete or no
   *     JSON; nothing was written
   */
  UUID startProcess(String processType, String businessKey, Map<String, Object> data);

  /** {@link #startProcess(String, String, Map)} in a transaction of the caller. */
  UUID startProcess(
      T transaction, String processType, String businessKey, Map<String, Object> data);

  /**
   * Tells a process that one of its commands has ended, for replies that do not come through the
   * command bus. A reply that was told before, or that belongs to nothing, changes nothing.
   *
   * @return whether it moved the process
   */
  boolean handleReply(UUID processId, CommandReply reply);

  /**
   * Sends a signal to a process that waits for it or will. Early ones are kept in order, as many as
   * there are waits for that name to come; a further one changes nothing, and is in the log of the
   * process ({@code SignalIgnored}) and a WARN.
   *
   * @throws IllegalStateException when it takes no such signal, saying why
   */
  void signal(UUID processId, String signal, Map<String, Object> data);

  /** Has nothing new begun; replies are still taken. */
  void pause(UUID processId, String actor, String reason);

  /** Has a paused process go on. */
  void resume(UUID processId, String actor, String reason);

  /**
   * Takes back what is queued, waits for what runs, and undoes what was done.
   *
   * @throws IllegalStateException when it has ended, is undone already, or is past its point of no
   *     return; nothing was changed
   */
  void cancel(UUID processId, String actor, String reason);

  /**
   * What {@link #cancel} would undo now, in order, if nothing more is done until then; of a paused
   * process, when it is resumed.
   */
  List<UndoPreview> previewCancel(UUID processId);

  /** Ends a process where it stands, FAILED; nothing is undone, or not any more. */
  void terminate(UUID processId, String actor, String reason);

  /**
   * Tries again what failed: the undos that failed for good, the last one first, or the steps of a
   * process that has FAILED and of which nothing was undone. One that is paused is to be resumed
   * first.
   */
  void retry(UUID processId, String actor, String reason);

  /**
   * Goes on without a step that failed, without an undo that failed, or without a wait. Not without
   * a condition or a fork, which decide where to go on.
   */
  void skip(UUID processId, String step, String actor, String reason);

  /** What a process waits for, since when, who has it, and what would move it. */
  Optional<ProcessExplanation> explain(UUID processId);

  /** Finds processes. */
  ProcessRepository getProcessRepository();

  /** Reads their logs. */
  ProcessLogRepository getProcessLogRepository();
}
