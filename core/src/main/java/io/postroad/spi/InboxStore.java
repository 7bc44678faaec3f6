package io.postroad.spi;

import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Remembers which messages were handled, so that each has its effect once, and which keys have
 * messages in the retry line, so that none overtakes.
 *
 * <p>Safe to use from many threads. The verbs that are given a transaction join it; the others open
 * and commit their own. All times are the database's.
 *
 * @param <T> what a transaction of this database is
 */
public interface InboxStore<T> extends AutoCloseable {

  /** Most rows that {@link #purge} removes and {@link #waiting} lists in one call. */
  int MAX_ROWS = 10_000;

  /** The result of {@link #enter}. */
  enum Entered {
    /** It was not here before: handle it. */
    NEW,
    /** It was here before: acknowledge it, and do nothing else. */
    DUPLICATE,
    /** It was not here before, and messages of its order and key wait: it joins their line. */
    BEHIND
  }

  /** Short name for logs and reports, for example {@code postgres}. */
  String name();

  /** Units of work on this database, for callers without a framework. */
  Transactions<T> transactions();

  /**
   * Writes down that a handler has a message, as the first thing of the handler's transaction.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} and write nothing when {@code transaction} is
   *       not an open one.
   *   <li>MUST let one transaction only enter a message for a handler; while it is open, others
   *       that enter the same wait for it, or are run again.
   *   <li>MUST leave nothing when the transaction rolls back.
   *   <li>MUST answer DUPLICATE by what it found, never by an error's text, and leave a transaction
   *       that can be committed.
   *   <li>MUST answer BEHIND when a message of this order and key was committed as waiting, and not
   *       as gone from the line, before this call.
   * </ol>
   */
  Entered enter(T transaction, InboxEntry entry);

  /**
   * {@link #enter(Object, InboxEntry)} for a handler that is silent for so long at most. Where
   * others wait for an open transaction, the database SHOULD end one that is silent for longer: its
   * node may stand still, and would block the node that has its messages now.
   *
   * @param longest between two statements, before it is given up
   */
  default Entered enter(T transaction, InboxEntry entry, Duration longest) {
    return enter(transaction, entry);
  }

  /**
   * Returns the result that {@link #enter} would have now; writes nothing. For handlers without a
   * transaction.
   */
  Entered look(InboxEntry entry);

  /**
   * Writes down that a message waits in the retry line, so that those of its order and key that
   * come later are BEHIND, whichever handler they are for.
   *
   * @throws IllegalArgumentException when the entry has no key
   */
  void waits(T transaction, InboxEntry entry, UUID retryId);

  /** Writes down that a message has left the retry line. Does nothing if it did not wait. */
  void left(T transaction, UUID retryId);

  /**
   * Messages that have been waiting for longer than {@code longerThan}, by their ids.
   *
   * @param after the id at which an earlier list ended; empty for the beginning
   * @param limit 1 to {@link #MAX_ROWS}
   */
  List<InboxWaiting> waiting(Duration longerThan, Optional<UUID> after, int limit);

  /**
   * Forgets messages that were handled longer ago than {@code olderThan}, a bounded number. One
   * that comes again after that is handled again.
   *
   * @param limit 1 to {@link #MAX_ROWS}
   * @return how many
   */
  int purge(Duration olderThan, int limit);

  /** The database's clock. */
  Instant now();

  /** Ends what this store started; what the caller handed in stays open. */
  @Override
  void close();

  /** Throws for a limit that no store accepts. */
  static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_ROWS) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, got %d".formatted(MAX_ROWS, limit));
    }
  }

  /** The key of an entry that is to wait. */
  static String keyOf(InboxEntry entry) {
    return entry
        .key()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "message %s has no key: no message waits for it, so it is not written down as"
                            .formatted(entry.messageId())
                        + " waiting"));
  }
}
