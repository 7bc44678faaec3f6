package io.postroad.spi;

import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.TransactionEndedException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps commands from the moment they are accepted, or end if they were carried until then, until
 * long after they ended: it is the queue of those that are handled here, the memory of idempotency
 * keys, and where replies can be read.
 *
 * <pre>
 * accept --> PENDING --claim--> PROCESSING (also: acceptTaken) --open, handler, finish--> COMPLETED | FAILED --purge--> (gone)
 *             ^  |                |   | lease expired: claimable again, and that claim counts as an attempt
 *             |  |                |   |--- release (not begun, attempt given back) ---|
 *             |--|-- retry at ----| (handOver: the same, attempt given back)          |
 *             |--|----------------------------------------------------------------- --|
 *                |--- cancel, recall, expire, reply from elsewhere ---> FAILED | COMPLETED
 *
 * (carried: no row) --handler, finish--> COMPLETED | FAILED
 *             |--- writeCarried, by whoever does not go on, or after a crash ---> PROCESSING
 * </pre>
 *
 * <p>Safe to use from many threads and nodes. The verbs that are given a transaction join it; the
 * others open and commit their own. All times are the database's. A crash leaves of a transaction
 * all or nothing.
 *
 * @param <T> what a transaction of this database is
 */
public interface CommandStore<T> extends AutoCloseable {

  /** Most rows that one call changes or lists. */
  int MAX_ROWS = 10_000;

  /** Short name for logs and reports, for example {@code postgres}. */
  String name();

  /** Units of work on this database, for callers without a framework. */
  Transactions<T> transactions();

  /** Hints that commands were accepted. */
  WakeUps wakeUps();

  /**
   * What {@link #accept} or {@link #acceptTaken} found.
   *
   * @param command as it stands; one that is accepted in what its unit does last has the times of
   *     this machine's clock, since nothing comes back before the commit
   * @param claim of the caller, when it accepted the command as taken and its key was new
   */
  record Acceptance(boolean isNew, StoredCommand command, Optional<CommandClaim> claim) {
    public Acceptance(boolean isNew, StoredCommand command) {
      this(isNew, command, Optional.empty());
    }
  }

  /**
   * Writes a command down, unless its idempotency key is known.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and write nothing when {@code transaction} is
   *       not an open one.
   *   <li>MUST let one transaction only write a key; while it is open, others that accept the same
   *       key wait for it, or are run again by {@link #transactions()}.
   *   <li>MUST return the command that has the key, whatever its type and payload, and leave a
   *       transaction that can be committed.
   *   <li>MUST leave nothing when the transaction rolls back.
   *   <li>MUST NOT make a command claimable that has a {@link NewCommand#destination()}.
   * </ol>
   */
  Acceptance accept(T transaction, NewCommand command);

  /**
   * {@link #accept} of a command that the caller goes on with itself: it is written as one that
   * {@code owner} has claimed, in the same insert. Whoever rolls back, or crashes before the
   * commit, leaves nothing; whoever crashes after it leaves a lease that expires.
   *
   * <ol>
   *   <li>MUST do what {@link #accept} does with a known key, and give no claim then.
   *   <li>MUST write PROCESSING, attempt 1, the token of a first claim and a lease of {@code
   *       leaseFor} from now, by the database's clock; the claim is good for every verb that takes
   *       one, once the transaction has committed.
   *   <li>MUST throw {@link IllegalArgumentException} and write nothing when the command has a
   *       {@link NewCommand#destination()} or a {@link NewCommand#notBefore()}.
   * </ol>
   */
  Acceptance acceptTaken(T transaction, NewCommand command, String owner, Duration leaseFor);

  /**
   * Whether a command may be <em>carried</em> in this transaction: it has no row until it ends, and
   * that is one insert. For whoever goes on with it at once and writes down in the same
   * transaction, somewhere else, that it is to be done and until when. A crash leaves nothing of it
   * here, so whoever finds it there after that time {@linkplain #writeCarried writes it}.
   *
   * <p>Only for a command without destination, reply address, start time and deadline. A store that
   * never says yes needs nothing else for it.
   */
  default boolean canCarry(T transaction) {
    return false;
  }

  /**
   * Writes down a command that was carried, as {@link #acceptTaken} would have, in a transaction of
   * its own. Its first attempt counts.
   *
   * <ol>
   *   <li>MUST write nothing where its id or its key is known.
   *   <li>MUST wait for a transaction that has written it and not ended, but not without end.
   *   <li>MUST throw {@link IllegalArgumentException} for what {@link #acceptTaken} does not take.
   * </ol>
   *
   * @return the claim of {@code owner}; empty when it was not written
   */
  default Optional<CommandClaim> writeCarried(NewCommand command, String owner, Duration leaseFor) {
    throw new UnsupportedOperationException("store '%s' carries no commands".formatted(name()));
  }

  /**
   * Takes due commands of some types under a lease: they are PROCESSING from then on.
   *
   * <ol>
   *   <li>MUST return each command to one claimer only, until its lease has expired or it was given
   *       back.
   *   <li>MUST take the longest due first, expired leases among them, and return them so.
   *   <li>MUST count each claim as an attempt and give it a token higher than any before for that
   *       command.
   *   <li>MUST NOT wait for rows that others are changing.
   *   <li>MUST NOT take a command before its {@code notBefore} or retry time.
   *   <li>MUST NOT cost more for commands of other types that are due.
   * </ol>
   *
   * @param types not empty
   * @param limit 1 to {@link #MAX_ROWS}
   */
  List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor);

  /** What {@link #open} found. */
  enum Opening {
    /** The claim holds: handle it. */
    HELD,
    /** The claim holds, and the command's deadline is over. */
    LATE,
    /** Another worker has it, or it has ended. Nothing was changed. */
    LOST
  }

  /**
   * Makes sure that a claim still holds, as the first thing of the handler's transaction.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and change nothing when {@code transaction} is
   *       not an open one.
   *   <li>MUST go by the token: a lease that has expired and that nobody took still holds.
   *   <li>MUST keep others from taking, expiring or cancelling the command from here to the end of
   *       the transaction, however long that takes.
   * </ol>
   */
  Opening open(T transaction, CommandClaim claim);

  /**
   * {@link #open(Object, CommandClaim)} for a run that its node ends after {@code longest} at the
   * latest, with what {@link #limit} does.
   */
  default Opening open(T transaction, CommandClaim claim, Duration longest) {
    boolean unused = limit(transaction, longest);
    return open(transaction, claim);
  }

  /**
   * Has the database end the transaction of a run when its node does not end it: the node may stand
   * still or be cut off, and the transaction would keep the command, and all that its handler has
   * written, from the node that takes it next. To be called first in the transaction.
   *
   * <p>SHOULD end it soon after {@code longest}, counted from this call, or from the last statement
   * where the server can only count that. A limit that the user has set stays.
   *
   * @param longest time within which a node that lives ends the transaction; shorter than the lease
   * @return whether the transaction has begun with this, so that {@link #finishUnended} can tell it
   *     from another
   */
  boolean limit(T transaction, Duration longest);

  /**
   * Writes down how a command ended, in the transaction of its handler: what that did and the
   * outcome are one commit. Whoever has {@linkplain #acceptTaken accepted it as taken} and knows
   * that its lease is not over may leave out {@link #open}.
   *
   * <p>A claim that {@link CommandClaim#isCarried} is for this verb only: it MUST fail, and the
   * transaction with it, when the id or the key of its command has a row by then.
   *
   * @return false when the claim does not hold, and nothing was changed: roll back
   * @throws CommandLostException instead, inside of {@link Transactions#together}, at the end of
   *     that at the latest
   */
  boolean finish(T transaction, CommandClaim claim, CommandOutcome outcome);

  /**
   * {@link #finish} in the transaction that {@link #open(Object, CommandClaim, Duration)} or {@link
   * #limit} has begun. Costs no way to the database of its own. Does no more than {@link #finish}
   * where {@link Transactions#requireUnended} tells every other transaction from the first.
   *
   * @throws TransactionEndedException when that transaction has ended, and this is another one; at
   *     the end of {@link Transactions#together} at the latest
   */
  default boolean finishUnended(T transaction, CommandClaim claim, CommandOutcome outcome) {
    return finish(transaction, claim, outcome);
  }

  /**
   * Has a command taken again after {@code delay}, in a transaction of its own.
   *
   * @param error why; at most 4,000 characters
   * @return false when the claim does not hold, and nothing was changed
   */
  boolean retry(CommandClaim claim, Duration delay, String error);

  /**
   * {@link #retry} of a command that this node cannot handle and another may: the attempt is not
   * counted.
   *
   * @param pause how long it is left alone, so that this node does not take it again at once
   * @param why at most 4,000 characters
   * @return false when the claim does not hold, and nothing was changed
   */
  boolean handOver(CommandClaim claim, Duration pause, String why);

  /**
   * Gives back commands that were not begun: they are due at once, and the attempt is not counted.
   *
   * @return the ids that were given back; the other claims did not hold
   */
  Set<UUID> release(Collection<CommandClaim> claims);

  /**
   * Ends a command that nobody has taken; one whose lease has expired counts as not taken.
   *
   * @return the command as it ended; empty when there is none, or it is taken, or it has ended
   */
  Optional<StoredCommand> cancel(T transaction, UUID id, CommandOutcome outcome);

  /**
   * {@link #cancel} for whoever holds locks of its own that workers may wait for.
   *
   * <ol>
   *   <li>MUST NOT wait for a row that another transaction is changing: such a one counts as taken.
   *       A store whose conflicts end the transaction MAY end it so that it is run again, for one
   *       that no worker has.
   * </ol>
   *
   * @return the command as it ended; empty when there is none, or it is taken, or it has ended, or
   *     somebody is changing it
   */
  Optional<StoredCommand> recall(T transaction, UUID id, CommandOutcome outcome);

  /**
   * Ends commands whose deadline is over and that nobody has taken, those that are handled
   * elsewhere among them. One that may be late does not end: it is returned once, and stays to be
   * handled.
   *
   * <ol>
   *   <li>MUST NOT wait for rows that others are changing, and MAY leave them for the next call.
   *   <li>MUST return each command once, over all calls of all nodes whose transaction committed.
   *   <li>MUST leave those of {@code except} alone, and they MUST NOT count for the limit.
   * </ol>
   *
   * @param outcome for those that end
   * @param limit 1 to {@link #MAX_ROWS}
   * @param except a few that cannot be ended now
   */
  List<StoredCommand> expire(
      T transaction, CommandOutcome outcome, int limit, Collection<UUID> except);

  /** {@link #expire(Object, CommandOutcome, int, Collection)} without exceptions. */
  default List<StoredCommand> expire(T transaction, CommandOutcome outcome, int limit) {
    return expire(transaction, outcome, limit, List.of());
  }

  /**
   * Ends a command that was handled elsewhere: its reply is here.
   *
   * @return the command as it ended; empty when there is none, or it is not handled elsewhere, or
   *     it has ended
   */
  Optional<StoredCommand> reply(T transaction, UUID id, CommandOutcome outcome);

  /**
   * {@link #reply} for a thread that has other commands to end.
   *
   * <ol>
   *   <li>MUST NOT wait for a row that another transaction is changing: it is left as it is, and
   *       the answer is empty.
   * </ol>
   */
  Optional<StoredCommand> replyNow(T transaction, UUID id, CommandOutcome outcome);

  /**
   * Makes a command claimable here that was sent elsewhere: what it was sent to belongs to a node
   * with this same store. It keeps its {@link NewCommand#destination()}.
   *
   * @return false when there is none, or it was not sent elsewhere, or it is claimable or taken
   *     already, or it has ended; nothing was changed
   */
  boolean arrived(T transaction, UUID id);

  /** The command as it stands. */
  Optional<StoredCommand> find(UUID id);

  /** The command as this transaction sees it, without waiting for others that change it. */
  Optional<StoredCommand> find(T transaction, UUID id);

  /** The command that has this idempotency key. */
  Optional<StoredCommand> findByKey(String idempotencyKey);

  /**
   * Those among these that have ended.
   *
   * @param ids at most {@link #MAX_ROWS}
   */
  List<StoredCommand> finished(Collection<UUID> ids);

  /**
   * Forgets commands that ended longer ago than {@code olderThan}, and with them their idempotency
   * keys, a bounded number.
   *
   * @param limit 1 to {@link #MAX_ROWS}
   * @return how many
   */
  int purge(Duration olderThan, int limit);

  /**
   * Whether this is a failure of the database that may be gone at the next attempt: a deadlock, a
   * serialization failure, a lost connection, an election. Looks at the exception itself, not at
   * its causes.
   */
  boolean isTransient(Throwable failure);

  /**
   * Makes sure that nothing of a transaction is ever committed, from another thread than the one
   * that uses it, which does not come back.
   */
  void abort(T transaction);

  /** The database's clock. */
  Instant now();

  /** Ends what this store started; what the caller handed in stays open. */
  @Override
  void close();

  /** What every implementation says to a command that cannot be accepted as taken. */
  static void checkTakeable(NewCommand command) {
    if (command.destination().isPresent() || command.notBefore().isPresent()) {
      throw new IllegalArgumentException(
          "command %s has a destination or a notBefore, so it cannot be accepted as taken; accept it"
              .formatted(command.id()));
    }
  }

  /** What every implementation says to a limit that it does not take. */
  static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_ROWS) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, got %d".formatted(MAX_ROWS, limit));
    }
  }
}
