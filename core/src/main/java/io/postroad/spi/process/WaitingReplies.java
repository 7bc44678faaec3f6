package io.postroad.spi.process;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The role of a {@link ProcessStore} that keeps replies of parallel branches until a second
 * transaction applies them. Needed where transactions that change one process at the same time fail
 * instead of waiting for each other.
 *
 * @param <T> the transaction type of this database
 */
public interface WaitingReplies<T> {

  /**
   * Stores a reply. Does not collide with transactions that add other replies for the process or
   * have it locked.
   */
  void add(T transaction, WaitingReply reply);

  /** Removes and returns the replies of a locked process, the oldest first. */
  List<WaitingReply> take(T transaction, UUID processId);

  /**
   * Returns processes that have waiting replies, the oldest reply first.
   *
   * <ol>
   *   <li>MUST leave out the processes of {@code except}; they MUST NOT count for the limit.
   * </ol>
   *
   * @param limit 1 to {@link ProcessStore#MAX_ROWS}
   * @param except a few processes that cannot be changed now
   */
  List<UUID> processes(int limit, Collection<UUID> except);
}
