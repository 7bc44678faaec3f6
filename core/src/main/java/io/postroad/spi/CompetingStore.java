package io.postroad.spi;

import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A store whose messages are taken one by one by competing workers. Any node takes any due message;
 * there is no order between messages.
 *
 * <pre>
 * PENDING --claim--> PROCESSING --delivered--> DISPATCHED --purge--> (gone)
 *  ^ ^                 |  |  | lease expired: claimable again, and that claim counts as an attempt
 *  | |--- retry at ----|  |  |--- dead ---> FAILED
 *  |                      |--- blocked -> (by its destination) PENDING
 *  |--- open, once its destination is -------------|
 * </pre>
 *
 * @param <T> what a transaction of this database is
 */
public interface CompetingStore<T> extends OutboxStore<T> {

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
   *   <li>MUST take messages of {@link ClaimRequest#destination()} only, when there is one, at a
   *       cost that does not grow with what is due elsewhere; or throw {@link
   *       IllegalStateException} that says how to open a store that can.
   * </ol>
   */
  List<Claim> claim(ClaimRequest request);

  /**
   * Gives the claims a new lease from now on, where they still hold their message: the token
   * decides, so an expired lease that no other node has taken is held again.
   *
   * @return the ids that still hold; the others were lost, and nothing of theirs was changed
   */
  Set<UUID> extend(Collection<Claim> claims, Duration leaseFor);

  /**
   * {@link #extend(Collection, Duration)} of one claim in a transaction of the caller, which is
   * going to settle it: written beside it, the new lease would be a change that a transaction on a
   * snapshot has not seen.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and change nothing when {@code transaction} is
   *       not an open one.
   *   <li>MUST keep others from taking the message from here to the end of the transaction, however
   *       long that takes.
   * </ol>
   *
   * @return false when the claim was lost, and nothing was changed
   */
  boolean extend(T transaction, Claim claim, Duration leaseFor);

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
   * Records what became of a claimed message in a transaction of the caller: with it, or not at
   * all. The work of the transaction and the settlement are one commit.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and change nothing when {@code transaction} is
   *       not an open one.
   *   <li>MUST change the message only if the settlement's token is the one of its latest claim and
   *       it was not settled under it yet; the caller rolls back otherwise.
   *   <li>MUST keep others from taking the message from here to the end of the transaction.
   * </ol>
   *
   * @return false when the fence rejected it, and nothing was changed
   */
  boolean settle(T transaction, Settlement settlement);

  /**
   * The destinations that have messages set aside by {@link Settlement.Blocked}. Costs one lookup
   * for each of them, however many messages wait.
   */
  Set<String> blockedDestinations();

  /**
   * Makes messages of a destination due that were set aside, those that were set aside first.
   *
   * <ol>
   *   <li>MUST NOT wait for messages that another caller is opening.
   * </ol>
   *
   * @param limit 1 or more
   * @return how many; fewer than there are when others open at the same time
   */
  int open(String destination, int limit);
}
