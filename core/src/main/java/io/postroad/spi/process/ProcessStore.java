package io.postroad.spi.process;

import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A store of processes. It hands out one object for each role, and does not know what a process
 * does: state and data are texts to it.
 *
 * <p>Safe to use from many threads and nodes, and so are the roles. A method that takes a
 * transaction joins it; any other method opens and commits its own. All times are the database's. A
 * crash leaves all or nothing of a transaction.
 *
 * @param <T> the transaction type of this database
 */
public interface ProcessStore<T> extends AutoCloseable {

  /** The largest number of rows that one call changes or lists. */
  int MAX_ROWS = 10_000;

  /** Returns a short name for logs and reports, for example {@code postgres}. */
  String name();

  /** Returns the transactions of this database, for callers without a framework. */
  Transactions<T> transactions();

  /** Starts, locks and saves processes. */
  StoredProcesses<T> processes();

  /** Finds, lists and counts processes, and reads their logs. */
  ProcessQueries queries();

  /** Keeps the definitions that processes run on. */
  StoredDefinitions definitions();

  /**
   * Keeps replies of parallel branches until a second transaction applies them. Empty for a store
   * in which a transaction waits for another that has the process locked: there the transaction of
   * the handler applies the reply itself.
   */
  Optional<WaitingReplies<T>> waitingReplies();

  /**
   * Deletes processes that ended longer ago than {@code olderThan}, the oldest first, with their
   * logs. A process that is not active ended at its {@code updatedAt}. Also deletes definitions
   * that no process has, that are not the newest of their type and were kept longer ago than that.
   *
   * @param limit 1 to {@link #MAX_ROWS}
   * @return the number of deleted processes
   */
  int purge(Duration olderThan, int limit);

  /** Returns the smallest difference of times that the store keeps. */
  Duration tick();

  /** Returns the time of the database. */
  Instant now();

  /** Releases everything that this store opened itself. */
  @Override
  void close();

  /** Throws the exception that every implementation throws for a limit out of range. */
  static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_ROWS) {
      throw new IllegalArgumentException(
          "limit must be 1 to %d, got %d".formatted(MAX_ROWS, limit));
    }
  }
}
