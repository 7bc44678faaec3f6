package io.postroad.tck;

import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Connects a store to the contracts that test it.
 *
 * <p>A fixture has a public constructor without parameters; it is made once per suite and closed at
 * its end, so a server can live as long as it does. {@link #open}, {@link #openAnother}, {@link
 * #advance} and {@link #freshSchema} are called from one thread; the transaction methods from many.
 * The TCK closes every store and ends every transaction it got, before the next {@link #open}. It
 * has up to four nodes and sixteen transactions open at once; size connection pools for that.
 *
 * @param <T> what a transaction of the database is
 */
public interface StoreFixture<T> extends AutoCloseable {

  /** Name of the store in the report, one word, for example {@code postgres}. */
  String name();

  /** Returns the optional features of the store and this fixture. */
  Set<Capability> capabilities();

  /** Why it cannot do what is not among the {@link #capabilities()}; listed in the report. */
  default Map<Capability, String> lacks() {
    return Map.of();
  }

  /** A store over empty data, with its schema in place: nothing of an earlier call is left. */
  OutboxStore<T> open() throws Exception;

  /**
   * Like {@link #open()}, with so many lanes. {@link OrderedStoreTck} asks for up to 8; the plain
   * {@link #open()} of an ordered store gives as many as its fixture likes.
   */
  default OutboxStore<T> open(int lanes) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " is used for an ordered store; it must override open(int)");
  }

  /** Another node: a store of its own over the data and the clock of {@code first}. */
  OutboxStore<T> openAnother(OutboxStore<T> first) throws Exception;

  /**
   * An inbox in the database of {@code store}, with its schema in place: one transaction can use
   * both. Empty when {@code store} comes from the latest {@link #open}; further calls give further
   * nodes over the same data. From {@link Capability#INBOX} on.
   */
  default InboxStore<T> openInbox(OutboxStore<T> store) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares INBOX; it must override openInbox");
  }

  /**
   * Commands in the database of {@code store}, on the clock of this fixture; further calls are
   * further nodes over the same data. From {@link Capability#COMMANDS} on.
   */
  default CommandStore<T> openCommands(OutboxStore<T> store) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares COMMANDS; it must override openCommands");
  }

  /**
   * Processes in the database of {@code store}, on the clock of this fixture; further calls are
   * further nodes over the same data. From {@link Capability#PROCESSES} on.
   */
  default ProcessStore<T> openProcesses(OutboxStore<T> store) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares PROCESSES; it must override openProcesses");
  }

  /**
   * Moves the database's clock, as all stores of the latest {@link #open} see it, forward.
   *
   * <p>In between it may stand still or run with real time, and it may begin anywhere: contracts
   * read {@link OutboxStore#now()}. It MUST NOT go back between two calls of {@link #open}, and
   * {@code appendedAt}, due times, leases, deduplication windows and retention MUST all follow it.
   */
  void advance(Duration by) throws Exception;

  /**
   * A transaction as a user opens it, without {@link OutboxStore#transactions()}. Several may be
   * open at once, also on one thread.
   */
  T begin(OutboxStore<T> store) throws Exception;

  /** Commits a transaction of {@link #begin} and releases it, also when the commit fails. */
  void commit(T transaction) throws Exception;

  /** Rolls a transaction of {@link #begin} back and releases it. */
  void rollback(T transaction) throws Exception;

  /**
   * Rolls back a transaction of {@link OutboxStore#transactions()} in the middle of its work, as a
   * handler may do by mistake. From {@link Capability#INBOX} or {@link Capability#COMMANDS} on, for
   * ordered stores.
   *
   * @param isGoingOn whether the work goes on in another transaction: where the next statement does
   *     not begin one by itself, the fixture begins it
   */
  default void rollBackInside(T transaction, boolean isGoingOn) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares INBOX or COMMANDS; it must override rollBackInside");
  }

  /** Something of the right type that is no open transaction: a connection in autocommit, ... */
  T notATransaction(OutboxStore<T> store) throws Exception;

  /** Releases what {@link #notATransaction} gave. */
  void release(T notATransaction) throws Exception;

  /**
   * Holds the row of a stored message as a claimer does that has taken it and not committed yet,
   * until the returned hold is closed; from {@link Capability#HELD_ROWS} on. Afterwards the message
   * is as it was.
   */
  default AutoCloseable holdRow(OutboxStore<T> store, UUID id) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares HELD_ROWS; it must override holdRow");
  }

  /**
   * Lets the database of an ordered store look as it does after a crash of the server: what owners
   * of lanes remember may be ahead of what it still knows, so every lease is lost. Committed
   * messages are still there, and nodes can still be used. From {@link Capability#RECOVERY} on.
   */
  default void forgetMemory(OutboxStore<T> store) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares RECOVERY; it must override forgetMemory");
  }

  /**
   * Lets the data of an ordered store look as if it had been restored into another cluster: stored
   * positions do not fit it any more. From {@link Capability#RECOVERY} on.
   */
  default void changeCluster(OutboxStore<T> store) throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares RECOVERY; it must override changeCluster");
  }

  /** A database without a schema of Postroad; from {@link Capability#SCHEMA} on. */
  default SchemaFixture freshSchema() throws Exception {
    throw new UnsupportedOperationException(
        getClass().getName() + " declares SCHEMA; it must override freshSchema");
  }

  /** Ends what the fixture started. */
  @Override
  void close() throws Exception;
}
