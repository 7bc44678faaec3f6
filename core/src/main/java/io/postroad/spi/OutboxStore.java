package io.postroad.spi;

import io.postroad.message.Message;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Finding;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps the messages of an outbox. The two kinds differ in how relays take them: {@link
 * OrderedStore} hands out lanes and keeps the order of each key, {@link CompetingStore} hands out
 * single messages to any worker.
 *
 * <p>Safe to use from many threads. Only {@link #append} joins the caller's transaction; every
 * other verb opens and commits its own, so a crash leaves each of them done or not done. All times
 * are the database's.
 *
 * @param <T> the transaction type of this database: a {@code java.sql.Connection}, a client
 *     session, ...
 */
public interface OutboxStore<T> extends AutoCloseable {

  /** Returns a short name for logs and reports, for example {@code postgres}. */
  String name();

  /** Returns the units of work on this database, for callers without a framework. */
  Transactions<T> transactions();

  /** Returns the hints that messages were committed. */
  WakeUps wakeUps();

  /**
   * Stores messages in the caller's transaction.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and write nothing when {@code transaction} is
   *       not an open transaction.
   *   <li>MUST make the messages available to relays when the transaction commits, and leave
   *       nothing when it rolls back.
   *   <li>MUST answer {@link AppendResult.Duplicate} with the first message's id when a
   *       deduplication key was used within its window, also by another message of this call or by
   *       the same message before, and leave the transaction usable. A duplicate MUST NOT prolong
   *       the window.
   *   <li>MUST refuse a message id that comes twice in this call, and SHOULD refuse one that is
   *       stored already, with a {@link io.postroad.message.PostroadException} that names it,
   *       leaving what is stored unchanged. The caller rolls back, unless the store says that it
   *       can go on.
   *   <li>MUST return one result per message, in order.
   * </ol>
   *
   * @param deduplicateFor how long the deduplication keys of these messages are remembered
   */
  List<AppendResult> append(T transaction, List<Message> messages, Duration deduplicateFor);

  /**
   * Removes rows that are no longer needed, a bounded amount at a time: delivered messages older
   * than {@code olderThan}, and at most {@code limit} deduplication keys past their window. MUST
   * NOT remove a message that was not delivered.
   */
  PurgeResult purge(Duration olderThan, int limit);

  /** Finds the message with this id, with its state. */
  Optional<StoredMessage> find(UUID id);

  /** Returns the role that keeps dead letters and carries out decisions about them. */
  DeadLetterStore deadLetters();

  /** Returns the role that pauses destinations. */
  PauseStore pauses();

  /**
   * Counts the messages that wait for destinations that are paused or down, in the order of their
   * names. Its cost MUST NOT grow with the number of messages stored.
   */
  List<BlockedDestination> blocked();

  /** Counts the messages that wait. Its cost MUST NOT grow with the number of messages stored. */
  Backlog backlog();

  /**
   * Returns problems that only the store can see: leases that expired and that no node has taken
   * again, missing parts of its schema, sessions that keep it from working. Reads only, at a cost
   * that MUST NOT grow with the number of messages stored.
   */
  List<Finding> examine();

  /** Returns the time of the database. */
  Instant now();

  /** Ends listeners and threads of this store; the client or pool of the caller stays open. */
  @Override
  void close();
}
