package io.postroad.store;

import io.postroad.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps the messages of an outbox and hands them to competing workers.
 *
 * <pre>
 * PENDING --claim--> PROCESSING --delivered--> DISPATCHED --purge--> (gone)
 *    ^                 |  | lease expired: claimable again, and that claim counts as an attempt
 *    |--- retry at ----|  |--- dead --------> FAILED
 * </pre>
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
   *   <li>MUST make the messages claimable when the transaction commits, and leave nothing when it
   *       rolls back.
   *   <li>MUST answer {@link AppendResult.Duplicate} with the first message's id when a
   *       deduplication key was used within its window, also by another message of this call or by
   *       the same message before, and leave the transaction usable. A duplicate MUST NOT prolong
   *       the window.
   *   <li>MUST refuse a message id that is stored already with a {@link
   *       io.postroad.message.PostroadException} that names it, leaving what is stored unchanged.
   *       The caller rolls back, unless the store says that it can go on.
   *   <li>MUST return one result per message, in order.
   * </ol>
   *
   * @param deduplicateFor how long the deduplication keys of these messages are remembered
   */
  List<AppendResult> append(T transaction, List<Message> messages, Duration deduplicateFor);

  /**
   * Takes due messages under a lease.
   *
   * <ol>
   *   <li>MUST return each message to one claimer only, until its lease has expired or it was
   *       settled.
   *   <li>MUST take the longest due first, expired leases among them, and return them so.
   *   <li>MUST count each claim as an attempt and give it a token higher than any before for that
   *       message.
   *   <li>MUST NOT wait for rows that another claimer is taking.
   *   <li>MUST NOT take a message before its {@code notBefore} or retry time.
   * </ol>
   */
  List<Claim> claim(ClaimRequest request);

  /**
   * Gives the claims a new lease from now on, where they still hold their message: the token
   * decides, so a lease that has expired and that nobody took is held again.
   *
   * @return the ids that still hold; the others were lost, and nothing of theirs was changed
   */
  Set<UUID> extend(Collection<Claim> claims, Duration leaseFor);

  /**
   * Records what became of claimed messages, all in one batch.
   *
   * <ol>
   *   <li>MUST change a message only if the settlement's token is the one of its latest claim and
   *       it was not settled under it yet.
   *   <li>MUST apply the others all the same, and report which were rejected.
   * </ol>
   *
   * @return the ids whose settlement was rejected by the fence
   */
  Set<UUID> settle(List<Settlement> settlements);

  /**
   * Removes what is no longer needed: at most {@code limit} messages delivered longer than {@code
   * olderThan} ago, and at most {@code limit} deduplication keys past their window. MUST NOT remove
   * a message that was not delivered.
   *
   * @return how many messages were removed
   */
  int purge(Duration olderThan, int limit);

  /** The message with this id and how it stands. */
  Optional<StoredMessage> find(UUID id);

  /** How much is waiting. Its cost MUST NOT grow with the number of messages stored. */
  Backlog backlog();

  /** The database's clock. */
  Instant now();

  /** Ends listeners and threads of this store; what the caller handed in stays open. */
  @Override
  void close();
}
