package io.postroad.process;

import io.postroad.command.CommandReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Starts and operates processes.
 *
 * <p>The work of a step in this database, the state of its process, the next command and the log
 * are one commit: a crash leaves all or nothing, and another node continues. Safe to use from many
 * threads. Methods join the transaction of their thread, or open one of their own.
 *
 * <p>A node may lack code for a definition of a newer release. There {@code explain}, {@code
 * previewCancel}, {@code pause} and {@code terminate} use the stored definition. Other requests and
 * {@code signal} are checked, queued with the process, and applied by a node that has the code; the
 * log of the process tells if that node refuses them.
 *
 * @param <T> the transaction type of the database
 */
public interface ProcessManager<T> {

  /**
   * Starts a process. After the commit it is RUNNING and its first command is sent; a rollback
   * leaves nothing.
   *
   * @param data the data for the steps; anything that JSON can hold
   * @return the id of the process
   * @throws ProcessAlreadyActiveException when an active process of this type has the business key,
   *     unless {@link ProcessOptions#startPolicy()} allows it
   * @throws IllegalArgumentException when the type is not known, or the data is incomplete or no
   *     JSON; nothing was written
   */
  UUID startProcess(String processType, String businessKey, Map<String, Object> data);

  /** Starts a process in a transaction of the caller. */
  UUID startProcess(
      T transaction, String processType, String businessKey, Map<String, Object> data);

  /**
   * Applies a reply that does not come through the command bus. A repeated reply, or one that
   * belongs to no step, changes nothing.
   *
   * @return whether it changed the process
   */
  boolean handleReply(UUID processId, CommandReply reply);

  /**
   * Sends a signal to a process that waits for it or will wait for it. Early signals are kept in
   * order, one for each wait of that name still to come. A further one changes nothing; it is
   * logged as {@code SignalIgnored} and at WARN.
   *
   * @throws IllegalStateException when the process takes no such signal
   */
  void signal(UUID processId, String signal, Map<String, Object> data);

  /** Pauses a process: it begins no new step; replies are still applied. */
  void pause(UUID processId, String actor, String reason);

  /** Resumes a paused process. */
  void resume(UUID processId, String actor, String reason);

  /**
   * Cancels a process: recalls queued commands, waits for running ones, and undoes completed steps.
   *
   * @throws IllegalStateException when the process has ended, is being undone, or is past its point
   *     of no return; nothing was changed
   */
  void cancel(UUID processId, String actor, String reason);

  /**
   * Returns the commands that {@link #cancel} would send now, in order; for a paused process, after
   * its resume.
   */
  List<UndoPreview> previewCancel(UUID processId);

  /** Ends a process at once as FAILED; no further step is undone. */
  void terminate(UUID processId, String actor, String reason);

  /**
   * Retries a FAILED process: the undos that failed for good, the last one first, or the failed
   * steps if no step was undone. A paused process must be resumed first.
   */
  void retry(UUID processId, String actor, String reason);

  /**
   * Skips a failed step, a failed undo or a wait. A condition or a fork cannot be skipped, because
   * several ways lead on from there.
   */
  void skip(UUID processId, String step, String actor, String reason);

  /** Explains what a process waits for, since when, on which node, and how it can continue. */
  Optional<ProcessExplanation> explain(UUID processId);

  /** Returns the repository of processes. */
  ProcessRepository getProcessRepository();

  /** Returns the repository of their logs. */
  ProcessLogRepository getProcessLogRepository();
}
