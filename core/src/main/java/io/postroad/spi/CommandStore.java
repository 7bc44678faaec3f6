package io.postroad.spi;

import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps commands from their acceptance until long after their end. It is the queue of commands that
 * are handled on this database, the memory of idempotency keys, and the archive of replies.
 *
 * <pre>
 * accept --> PENDING --claim--> PROCESSING (also: acceptTaken) --open, handler, finish--> COMPLETED | FAILED --purge--> (gone)
 *             ^  |                |   | lease expired: claimable again, and that claim counts as an attempt
 *             |  |                |   |--- release (not begun, attempt given back) ---|
 *             |--|-- retry at ----| (handOver: the same, attempt given back)          |
 *             |--|----------------------------------------------------------------- --|
 *                |--- cancel, recall, expire, reply from elsewhere ---> FAILED | COMPLETED
 *
 * (handed off in memory: no row) --handler, finish--> COMPLETED | FAILED
 *             |--- Handoff.write, by a node that gives up or after a crash ---> PROCESSING
 * </pre>
 *
 * <p>Safe to use from many threads and nodes. A verb with a transaction joins it; the others open
 * and commit their own. All times are from the clock of the database. A crash leaves of a
 * transaction all or nothing.
 *
 * @param <T> the type of a transaction of the database
 */
public interface CommandStore<T> extends CommandQueue<T>, CommandEnds<T>, AutoCloseable {

  /** Most rows that one call changes or lists. */
  int MAX_ROWS = 10_000;

  /** Returns a short name for logs and reports, for example {@code postgres}. */
  String name();

  /** Returns units of work on this database, for callers without a framework. */
  Transactions<T> transactions();

  /** Returns hints that commands were accepted. */
  WakeUps wakeUps();

  /** Returns the handoff in memory, in a store that can write the row of a command at its end. */
  Optional<Handoff<T>> handoff();

  /** Returns a command. */
  Optional<StoredCommand> find(UUID id);

  /** Returns a command as this transaction sees it, without waiting for others that change it. */
  Optional<StoredCommand> find(T transaction, UUID id);

  /** Returns the command that has this idempotency key. */
  Optional<StoredCommand> findByKey(String idempotencyKey);

  /**
   * Returns those of some commands that have ended.
   *
   * @param ids at most {@link #MAX_ROWS}
   */
  List<StoredCommand> finished(Collection<UUID> ids);

  /**
   * Deletes commands that ended longer ago than {@code olderThan}, and with them their idempotency
   * keys, a bounded number.
   *
   * @param limit 1 to {@link #MAX_ROWS}
   * @return how many
   */
  int purge(Duration olderThan, int limit);

  /**
   * Tells whether a failure of the database may be gone at the next attempt: a deadlock, a
   * serialization failure, a lost connection, an election. Looks at the exception itself, not at
   * its causes.
   */
  boolean isTransient(Throwable failure);

  /** Returns the time by the clock of the database. */
  Instant now();

  /** Ends what this store started; what the caller handed in stays open. */
  @Override
  void close();

  /** Refuses a limit that is out of range; for implementations. */
  static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_ROWS) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, got %d".formatted(MAX_ROWS, limit));
    }
  }
}
