package io.postroad.spi.process;

import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The role of a {@link ProcessStore} that changes processes: START, LOCK, SAVE.
 *
 * <p>Each method that takes a transaction MUST throw {@link NoTransactionException} and write
 * nothing when the transaction is not open.
 *
 * @param <T> the transaction type of this database
 */
public interface StoredProcesses<T> {

  /**
   * Inserts a process with the first entries of its log.
   *
   * <ol>
   *   <li>MUST allow only one active process for each type and business key, among those that are
   *       {@link ProcessIdentity#isUnique()}. While another open transaction starts one, MUST wait
   *       for that transaction, or have {@link ProcessStore#transactions()} repeat this one.
   *   <li>MUST leave a transaction that can be committed when it writes nothing for that reason.
   *   <li>MUST leave nothing when the transaction rolls back.
   *   <li>MUST fail when the id is taken.
   * </ol>
   *
   * @return the active process that has the business key; empty when this one was inserted
   */
  Optional<UUID> start(T transaction, StoredProcess process, List<ProcessLogEntry> log);

  /**
   * A locked process.
   *
   * @param now the time of the database when the process was read
   */
  record Locked(StoredProcess process, Instant now) {}

  /**
   * Reads a process and locks it until the transaction ends.
   *
   * <ol>
   *   <li>MUST wait for a transaction that has the process locked, and then return the state which
   *       that transaction left; or have {@link ProcessStore#transactions()} repeat this
   *       transaction.
   * </ol>
   */
  Optional<Locked> lock(T transaction, UUID id);

  /**
   * Locks a process without waiting for another transaction.
   *
   * <ol>
   *   <li>MUST throw {@link ProcessBusyException} at once when another transaction has the process
   *       locked; {@link ProcessStore#transactions()} MUST NOT repeat the transaction because of
   *       that.
   * </ol>
   */
  Optional<Locked> lockNow(T transaction, UUID id);

  /**
   * Locks the process whose {@link StoredProcess#dueAt()} passed longest ago, among the processes
   * that no other transaction has locked. Returns empty when there is none.
   *
   * <ol>
   *   <li>MUST NOT wait for processes that others have locked. A process that another transaction
   *       locks at the same time MAY have this transaction repeated.
   *   <li>MAY return any of the ten that are due longest while others lock some of them.
   * </ol>
   */
  Optional<Locked> lockDue(T transaction);

  /**
   * Writes the state of a process and its new log entries, in the transaction that locked it.
   *
   * <ol>
   *   <li>MUST fail, and have the transaction roll back, when the number of an entry is taken: the
   *       process was not locked.
   *   <li>MUST fail when the process does not exist.
   *   <li>MUST free the business key of a process that is no longer active.
   *   <li>MUST fail, and have the transaction roll back, when the process becomes active again and
   *       another active one has its business key.
   *   <li>MUST NOT change the {@link ProcessIdentity}.
   * </ol>
   *
   * @param log numbered on from {@link StoredProcess#lastSeq()} of the locked process
   */
  void save(T transaction, StoredProcess process, List<ProcessLogEntry> log);

  /**
   * Saves a process that was not locked, if it has not changed since the caller saw it.
   *
   * <ol>
   *   <li>MUST write nothing and throw {@link ChangedMeanwhileException} when the newest entry of
   *       its log has another number than {@code knownSeq}, or the process is gone; inside of
   *       {@link Transactions#together} at its end at the latest. Or have {@link
   *       ProcessStore#transactions()} repeat the transaction.
   *   <li>MUST keep the process locked until the transaction ends.
   * </ol>
   */
  void saveKnown(T transaction, long knownSeq, StoredProcess process, List<ProcessLogEntry> log);

  /**
   * Delays the timer of a process that is due, in a transaction of its own, so that a process which
   * cannot be handled now does not stop others. Changes nothing when no timer is due or another
   * transaction has the process locked; MUST NOT wait for that transaction.
   */
  void postpone(UUID id, Duration delay);

  /**
   * Returns the time of the database. The store MAY add the time that has passed on this node to an
   * answer of the last second: the caller only writes the time down.
   */
  Instant nearlyNow(T transaction);
}
