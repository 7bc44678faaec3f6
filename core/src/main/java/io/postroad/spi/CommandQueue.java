package io.postroad.spi;

import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The way of a command from its acceptance to a worker, and back to the queue. One role of a {@link
 * CommandStore}.
 *
 * @param <T> the type of a transaction of the database
 */
public interface CommandQueue<T> {

  /**
   * The result of {@link #accept} or {@link #acceptTaken}.
   *
   * @param command as it is stored; if it is written with the commit of its transaction, its times
   *     are from the clock of this machine
   * @param claim of the caller, if it accepted the command as taken and the key was new
   */
  record Acceptance(boolean isNew, StoredCommand command, Optional<CommandClaim> claim) {
    public Acceptance(boolean isNew, StoredCommand command) {
      this(isNew, command, Optional.empty());
    }
  }

  /**
   * Writes a command, unless its idempotency key is known.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and write nothing when {@code transaction} is
   *       not open.
   *   <li>MUST let only one transaction write a key. Other transactions that accept the same key
   *       wait for it, or are run again by {@link CommandStore#transactions()}.
   *   <li>MUST return the command that has the key, whatever its type and payload, and leave a
   *       transaction that can be committed.
   *   <li>MUST leave nothing when the transaction rolls back.
   *   <li>MUST NOT make a command claimable that has a {@link NewCommand#destination()}.
   * </ol>
   */
  Acceptance accept(T transaction, NewCommand command);

  /**
   * Writes a command as claimed by {@code owner}, in the same insert. A rollback, or a crash before
   * the commit, leaves nothing; a crash after it leaves a lease that expires.
   *
   * <ol>
   *   <li>MUST treat a known key like {@link #accept}, and give no claim then.
   *   <li>MUST write PROCESSING, attempt 1, the token of a first claim and a lease of {@code
   *       leaseFor} from now, by the clock of the database. After the commit the claim is good for
   *       every verb that takes one.
   *   <li>MUST throw {@link IllegalArgumentException} and write nothing when the command has a
   *       {@link NewCommand#destination()} or a {@link NewCommand#notBefore()}.
   * </ol>
   */
  Acceptance acceptTaken(T transaction, NewCommand command, String owner, Duration leaseFor);

  /**
   * Makes a command claimable here that was sent to a destination of this same store. It keeps its
   * {@link NewCommand#destination()}.
   *
   * @return false when the command is unknown, was not sent, is claimable or taken already, or has
   *     ended; nothing was changed
   */
  boolean arrived(T transaction, UUID id);

  /**
   * Claims due commands of some types under a lease: they are PROCESSING from then on.
   *
   * <ol>
   *   <li>MUST return each command to one claimer only, until its lease has expired or it was given
   *       back.
   *   <li>MUST take the longest due commands first, those with an expired lease among them, and
   *       return them in that order.
   *   <li>MUST count each claim as an attempt, with a higher token than any claim before.
   *   <li>MUST NOT wait for rows that other transactions are changing.
   *   <li>MUST NOT take a command before its {@code notBefore} or retry time.
   *   <li>MUST NOT cost more because commands of other types are due.
   * </ol>
   *
   * @param types not empty
   * @param limit 1 to {@link CommandStore#MAX_ROWS}
   */
  List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor);

  /**
   * Makes a command claimable again after {@code delay}, in a transaction of its own.
   *
   * @param error the reason; at most 4,000 characters
   * @return false when the claim does not hold, and nothing was changed
   */
  boolean retry(CommandClaim claim, Duration delay, String error);

  /**
   * Makes a command claimable again that this node cannot handle and another may: the attempt does
   * not count.
   *
   * @param pause before the next claim, so that this node does not take the command at once
   * @param why at most 4,000 characters
   * @return false when the claim does not hold, and nothing was changed
   */
  boolean handOver(CommandClaim claim, Duration pause, String why);

  /**
   * Gives back commands that were not begun: they are due at once, and the attempt does not count.
   *
   * @return the ids of the commands that were given back; the other claims did not hold
   */
  Set<UUID> release(Collection<CommandClaim> claims);

  /** Refuses a command that cannot be accepted as taken; for implementations. */
  static void checkTakeable(NewCommand command) {
    if (command.destination().isPresent() || command.notBefore().isPresent()) {
      throw new IllegalArgumentException(
          "command %s has a destination or a notBefore, so it cannot be accepted as taken; accept it"
              .formatted(command.id()));
    }
  }

  /**
   * Commands that are handed off in memory: the row of such a command is written when it ends. For
   * a caller that runs the command at once, and saves elsewhere in the same transaction which
   * command it has and until when. A crash leaves nothing of the command in the store, so the
   * caller {@linkplain #write writes} it if it finds it after that time.
   *
   * <p>Only for commands without destination, reply address, start time and deadline.
   */
  interface Handoff<T> {

    /** Tells whether a command may be handed off in this transaction. */
    boolean isPossible(T transaction);

    /**
     * Writes a command that was handed off, as {@link CommandQueue#acceptTaken} would have, in a
     * transaction of its own. Its first attempt counts.
     *
     * <ol>
     *   <li>MUST write nothing where its id or its key is known.
     *   <li>MUST wait for a transaction that has written it and not ended, for a limited time.
     *   <li>MUST throw {@link IllegalArgumentException} for a command that {@link
     *       CommandQueue#acceptTaken} refuses.
     * </ol>
     *
     * @return the claim of {@code owner}; empty when nothing was written
     */
    Optional<CommandClaim> write(NewCommand command, String owner, Duration leaseFor);
  }
}
