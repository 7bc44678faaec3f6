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
 * Keeps the messages of an outbox. How relays take them is what the two kinds differ in: {@link
 * OrderedStore} hands out lanes and keeps the order of each key, {@link CompetingStore} hands out
 * single messages to whoever asks.
 *
 * <p>Safe to use from many threads. Only {@link #append} joins the caller's transaction; every
 * other verb opens and commits its own, so a crash leaves each of them done or not done. All times
 * are the database's.
 *
 * @param <T> what a transaction of this database is: a {@code java.sql.Connection}, a client
 *     session, ...
 */
public interface OutboxStore<T> extends AutoCloseable {

  /** Short name for logs and reports, for example {@code postgres}. */
  String name();

  /** Units of work on this database, for callers without a framework. */
  Transactions<T> transactions();

  /** Hints that something was committed. */
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
   * Removes what is no longer needed, a bounded amount at a time: delivered messages older than
   * {@code olderThan}, and at most {@code limit} deduplication keys past their window. MUST NOT
   * remove a message that was not delivered.
   */
  PurgeResult purge(Duration olderThan, int limit);

  /** The message with this id and how it stands. */
  Optional<StoredMessage> find(UUID id);

  /** Its dead letters, and what people decide about them. */
  DeadLetterStore deadLetters();

  /** The destinations that people have paused. */
  PauseStore pauses();

  /**
   * What waits for destinations that are paused or down, in the order of their names. Its cost MUST
   * NOT grow with the number of messages stored.
   */
  List<BlockedDestination> blocked();

  /** How much is waiting. Its cost MUST NOT grow with the number of messages stored. */
  Backlog backlog();

  /**
   * What is wrong with this store now that only it can know: leases that expired and that nobody
   * took again, parts of its schema that are missing, others who keep it from working. Reads only,
   * at a cost that MUST NOT grow with the number of messages stored.
   */
  List<Finding> examine();

  /** The database's clock. */
  Instant now();

  /** Ends listeners and threads of this store; what the caller handed in stays open. */
  @Override
  void close();
}
