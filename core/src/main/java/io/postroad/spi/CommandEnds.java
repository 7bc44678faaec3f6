package io.postroad.spi;

import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The transactions in which commands run and end. One role of a {@link CommandStore}.
 *
 * @param <T> the type of a transaction of the database
 */
public interface CommandEnds<T> {

  /** The result of {@link #open}. */
  enum Opening {
    /** The claim holds: handle it. */
    HELD,
    /** The claim holds, and the deadline of the command has passed. */
    LATE,
    /** Another worker has the command, or it has ended. Nothing was changed. */
    LOST
  }

  /**
   * Makes sure that a claim still holds, as the first thing of the transaction of its handler, and
   * limits that transaction like {@link #limit}.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and change nothing when {@code transaction} is
   *       not open.
   *   <li>MUST go by the token: a claim whose lease has expired still holds until the next claim.
   *   <li>MUST keep others from claiming, expiring or cancelling the command to the end of the
   *       transaction, however long that takes.
   * </ol>
   *
   * @param longest see {@link #limit}
   */
  Opening open(T transaction, CommandClaim claim, Duration longest);

  /**
   * Has the database end the transaction of a run when its node does not: the node may stand still
   * or be cut off, and its locks would keep the command from the next node. To be called first in
   * the transaction.
   *
   * <p>SHOULD end it soon after {@code longest}, counted from this call, or from the last statement
   * where the server can only count that. Keeps a limit that the user has set.
   *
   * @param longest within which a working node ends the transaction; shorter than the lease
   * @return whether the transaction is marked from its beginning, for {@link #finishUnended}
   */
  boolean limit(T transaction, Duration longest);

  /**
   * Writes the outcome of a command, in the transaction of its handler: both are one commit. {@link
   * #open} may be left out after {@link CommandQueue#acceptTaken}, while the lease lasts.
   *
   * <p>Of a claim that {@linkplain CommandClaim#isHandedOff was handed off}, it inserts the row. It
   * MUST fail, and the transaction with it, when the id or the key of the command has a row by
   * then.
   *
   * @return false when the claim does not hold, and nothing was changed: roll back
   * @throws CommandLostException instead, inside of {@link Transactions#together}, at the end of
   *     that at the latest
   */
  boolean finish(T transaction, CommandClaim claim, CommandOutcome outcome);

  /**
   * Writes the outcome like {@link #finish}, in a transaction that {@link #open} or {@link #limit}
   * has marked. Costs no round trip of its own.
   *
   * @throws TransactionEndedException when the marked transaction has ended, and this is another
   *     one; at the end of {@link Transactions#together} at the latest
   */
  boolean finishUnended(T transaction, CommandClaim claim, CommandOutcome outcome);

  /**
   * Makes sure that a transaction never commits, from another thread than the one that uses it,
   * which does not come back.
   */
  void abort(T transaction);

  /**
   * Ends a command that no worker has taken; one whose lease has expired counts as not taken.
   *
   * @return the command as it ended; empty when it is unknown, is taken, or has ended
   */
  Optional<StoredCommand> cancel(T transaction, UUID id, CommandOutcome outcome);

  /**
   * Ends a command like {@link #cancel}, for a caller that holds locks which workers may wait for.
   *
   * <ol>
   *   <li>MUST NOT wait for a row that another transaction is changing: it counts as taken. A store
   *       whose conflicts end the transaction MAY end it so that it is run again, for a command
   *       that no worker has.
   * </ol>
   *
   * @return the command as it ended; empty when it is unknown, is taken, has ended, or another
   *     transaction is changing it
   */
  Optional<StoredCommand> recall(T transaction, UUID id, CommandOutcome outcome);

  /**
   * Ends commands whose deadline has passed and that no worker has taken, sent ones among them. A
   * command that may be late does not end: it is returned once, and stays to be handled.
   *
   * <ol>
   *   <li>MUST NOT wait for rows that others are changing, and MAY leave them for the next call.
   *   <li>MUST return each command once, over all calls of all nodes whose transaction committed.
   *   <li>MUST leave those of {@code except} alone, and they MUST NOT count for the limit.
   * </ol>
   *
   * @param outcome for those that end
   * @param limit 1 to {@link CommandStore#MAX_ROWS}
   * @param except a few that cannot be ended now
   */
  List<StoredCommand> expire(
      T transaction, CommandOutcome outcome, int limit, Collection<UUID> except);

  /**
   * Ends a command that another service has handled, by its reply.
   *
   * @return the command as it ended; empty when it is unknown, was not sent, or has ended
   */
  Optional<StoredCommand> reply(T transaction, UUID id, CommandOutcome outcome);

  /**
   * Ends a command like {@link #reply}, for a thread that has other commands to end.
   *
   * <ol>
   *   <li>MUST NOT wait for a row that another transaction is changing: it stays as it is, and the
   *       result is empty.
   * </ol>
   */
  Optional<StoredCommand> replyNow(T transaction, UUID id, CommandOutcome outcome);
}
