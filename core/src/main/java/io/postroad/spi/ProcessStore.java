package io.postroad.spi;

import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps processes: START, LOCK, SAVE. It does not know what a process does; that is in the texts
 * that it is given.
 *
 * <p>Safe to use from many threads and nodes. The verbs that are given a transaction join it; the
 * others open and commit their own. All times are the database's. A crash leaves of a transaction
 * all or nothing.
 *
 * @param <T> what a transaction of this database is
 */
public interface ProcessStore<T> extends AutoCloseable {

  /** Most rows that one call changes or lists. */
  int MAX_ROWS = 10_000;

  /** Short name for logs and reports, for example {@code postgres}. */
  String name();

  /** Units of work on this database, for callers without a framework. */
  Transactions<T> transactions();

  /**
   * Writes a process down with the first entries of its log.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and write nothing when {@code transaction} is
   *       not an open one.
   *   <li>MUST let one active process only have a type and business key, among those that are
   *       {@link StoredProcess#isUnique()}; while another transaction that starts one is open, wait
   *       for it, or be run again by {@link #transactions()}.
   *   <li>MUST leave a transaction that can be committed when it writes nothing for that reason.
   *   <li>MUST leave nothing when the transaction rolls back.
   *   <li>MUST fail when the id is taken.
   * </ol>
   *
   * @return the active process that has the business key; empty when this one was written
   */
  Optional<UUID> start(T transaction, StoredProcess process, List<ProcessLogEntry> log);

  /**
   * A process, and the time by the database's clock.
   *
   * @param now when it was read
   */
  record Locked(StoredProcess process, Instant now) {}

  /**
   * Reads a process and keeps others from changing it to the end of the transaction.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} when {@code transaction} is not an open one.
   *   <li>MUST wait for a transaction that has it, and then return what that one left; or have the
   *       unit run again by {@link #transactions()}.
   * </ol>
   */
  Optional<Locked> lock(T transaction, UUID id);

  /**
   * {@link #lock} of a process that no other transaction has locked, for a thread that has others
   * to look after.
   *
   * <ol>
   *   <li>MUST throw {@link ProcessBusyException} at once when another transaction has it locked;
   *       {@link #transactions()} MUST NOT run the unit again because of that.
   * </ol>
   */
  Optional<Locked> lockNow(T transaction, UUID id);

  /**
   * {@link #lock} of the process whose {@link StoredProcess#dueAt()} is over for the longest time,
   * among those that nobody else has locked; empty when there is none.
   *
   * <ol>
   *   <li>MUST NOT wait for processes that others have locked. One that others lock at this very
   *       moment MAY have the unit run again.
   *   <li>MAY take another one of the ten that are due for the longest time while others lock some
   *       of them.
   * </ol>
   */
  Optional<Locked> lockDue(T transaction);

  /**
   * Writes down how a process stands now and what happened, in the transaction that locked it.
   *
   * <ol>
   *   <li>MUST fail, and have the transaction roll back, when an entry's number is taken: the
   *       process was not locked.
   *   <li>MUST fail when there is no such process.
   *   <li>MUST free the business key when the process is not active any more.
   *   <li>MUST fail, and have the transaction roll back, when the process becomes active again and
   *       another active one has its business key.
   *   <li>MUST NOT change id, type, business key, whether it is unique, definition and time of
   *       creation.
   * </ol>
   *
   * @param log numbered on from {@link StoredProcess#lastSeq()} as it was when it was locked
   */
  void save(T transaction, StoredProcess process, List<ProcessLogEntry> log);

  /**
   * {@link #save} of a process that was not locked, by whoever knows how it stood a moment ago.
   *
   * <ol>
   *   <li>MUST write nothing and throw {@link ChangedMeanwhileException} when the newest entry of
   *       its log has another number than {@code knownSeq}, or it is gone; inside of {@link
   *       Transactions#together} at the end of that at the latest. Or have the unit run again by
   *       {@link #transactions()}.
   *   <li>MUST keep others from changing it from here to the end of the transaction.
   * </ol>
   */
  void saveKnown(T transaction, long knownSeq, StoredProcess process, List<ProcessLogEntry> log);

  /**
   * Has the timer of a process that is due fire later, in a transaction of its own: it could not be
   * handled now, and must not keep others from theirs. Changes nothing else, and nothing at all
   * when no timer of it is due or somebody has it locked, for which it MUST NOT wait.
   */
  void postpone(UUID id, Duration delay);

  /** The process as it stands. */
  Optional<StoredProcess> find(UUID id);

  /**
   * Some processes in the order of their ids, as texts.
   *
   * @param limit 1 to {@link #MAX_ROWS}
   */
  List<StoredProcess> list(ProcessFilter filter, int limit);

  /** How many processes there are, by status. */
  Map<String, Long> counts();

  /**
   * The log of a process in order.
   *
   * @param afterSeq entries with a higher number; 0 for all
   * @param limit 1 to {@link #MAX_ROWS}
   */
  List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit);

  /**
   * Keeps a definition, or remembers that it is still used: it is the newest of its type from now
   * on.
   *
   * @throws io.postroad.message.PostroadException when another graph has this hash
   */
  void keep(StoredDefinition definition);

  /** The definition of this type with this hash. */
  Optional<StoredDefinition> definition(String type, String hash);

  /** When the definition of this type with this hash was kept first, since it is stored. */
  Optional<Instant> keptSince(String type, String hash);

  /** How many active processes of a type run on each definition. */
  Map<String, Long> live(String type);

  /**
   * Forgets processes that ended longer ago than {@code olderThan}, the longest ago first, a
   * bounded number, and their logs; and definitions that no process has, that are not the newest of
   * their type and were kept longer ago than that. One that is not active ended at its {@code
   * updatedAt}.
   *
   * @param limit 1 to {@link #MAX_ROWS}
   * @return how many processes
   */
  int purge(Duration olderThan, int limit);

  /**
   * Whether replies of parallel branches are written down first and move the process in a second
   * transaction, because here transactions that change one process at the same time fail instead of
   * waiting for each other. If not, {@link #park} throws {@link UnsupportedOperationException}, and
   * there never are any to take.
   */
  boolean parksBranches();

  /**
   * Writes down a reply for whoever moves the process next. Others that write some down for it, or
   * have it locked, are not in the way.
   */
  void park(T transaction, WaitingReply arrival);

  /** Takes away the replies that were written down for a locked process, oldest first. */
  List<WaitingReply> takeParked(T transaction, UUID processId);

  /**
   * Processes that have replies written down, the oldest first.
   *
   * <ol>
   *   <li>MUST leave out those of {@code except}, and they MUST NOT count for the limit.
   * </ol>
   *
   * @param limit 1 to {@link #MAX_ROWS}
   * @param except a few that cannot be moved now
   */
  List<UUID> parked(int limit, Collection<UUID> except);

  /** {@link #parked(int, Collection)} without exceptions. */
  default List<UUID> parked(int limit) {
    return parked(limit, List.of());
  }

  /** The smallest step of time that is kept. */
  Duration tick();

  /** The database's clock. */
  Instant now();

  /**
   * {@link #now()} on the connection of a transaction, where a second connection would have to be
   * waited for.
   */
  default Instant now(T transaction) {
    return now();
  }

  /**
   * {@link #now(Object)}, or what the database said within the last second and what has passed here
   * since: for times that are only written down.
   */
  default Instant nearlyNow(T transaction) {
    return now(transaction);
  }

  /** Ends what this store started; what the caller handed in stays open. */
  @Override
  void close();

  /** What every implementation says to a limit that it does not take. */
  static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_ROWS) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, got %d".formatted(MAX_ROWS, limit));
    }
  }
}
