package io.postroad.outbox;

import io.postroad.internal.relay.Creations;
import io.postroad.internal.relay.ObserverGuard;
import io.postroad.message.Message;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.AppendResult;
import io.postroad.store.OrderKey;
import io.postroad.trace.Tracing;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Stores the messages of a service for delivery: APPEND, the first step of the outbox.
 *
 * <pre>{@code
 * store.transactions().run(connection -> {
 *   orders.insert(connection, order);
 *   outbox.append(Message.event("OrderPlaced").to("orders").key(order.customer()).json(body).build());
 * });
 * }</pre>
 *
 * <p>Every append joins the caller's transaction, and throws without one. A rollback removes the
 * message. After the commit the message is delivered at least once or kept as a dead letter, even
 * if nodes crash. Append after the business rows: then the transaction that locks a row first also
 * appends first.
 *
 * <p>Safe to use from many threads, each in its own transaction. A call that throws has written
 * nothing.
 *
 * @param <T> the type of a transaction of the store, for example {@code java.sql.Connection}
 */
public final class Outbox<T> {
  private final OutboxStore<T> store;
  private final Transactions<T> transactions;
  private final OutboxOptions options;
  private final ObserverGuard observer;
  private final Tracing tracing;

  private Outbox(
      OutboxStore<T> store,
      Transactions<T> transactions,
      OutboxOptions options,
      OutboxObserver observer,
      Tracing tracing) {
    this.store = store;
    this.transactions = transactions;
    this.options = options;
    this.observer = ObserverGuard.of(observer);
    this.tracing = Tracing.guarded(tracing);
  }

  /** Returns an outbox with the default options. */
  public static <T> Outbox<T> over(OutboxStore<T> store) {
    return over(store, OutboxOptions.defaults(), OutboxObserver.none());
  }

  /** Returns an outbox with options and an observer. */
  public static <T> Outbox<T> over(
      OutboxStore<T> store, OutboxOptions options, OutboxObserver observer) {
    return over(store, store.transactions(), options, observer);
  }

  /**
   * Returns the same outbox with traced appends: each message is stored with the trace context of
   * its creation, unless it has one.
   */
  public Outbox<T> tracedBy(Tracing newTracing) {
    return new Outbox<>(store, transactions, options, observer, newTracing);
  }

  /**
   * Returns an outbox that uses the transactions of a framework, on the same database, in place of
   * the store's own.
   */
  public static <T> Outbox<T> over(
      OutboxStore<T> store,
      Transactions<T> transactions,
      OutboxOptions options,
      OutboxObserver observer) {
    return new Outbox<>(store, transactions, options, observer, Tracing.none());
  }

  /**
   * Appends in the current transaction of this thread, and wakes the relays after its commit. The
   * transaction is one of {@link OutboxStore#transactions()}, or of those that this outbox was
   * given.
   *
   * @throws NoTransactionException when this thread has no transaction
   */
  public AppendResult append(Message message) {
    return appendAll(List.of(message)).get(0);
  }

  /** Appends many messages in one statement; returns one result each, in order. */
  public List<AppendResult> appendAll(List<Message> messages) {
    return appendAll(currentTransaction(), messages);
  }

  /**
   * Appends in a transaction of the caller. Unless it is the current one of {@link
   * OutboxStore#transactions()}, the outbox does not see its commit: call {@link #wakeUp()} after
   * it, or the relays find the message at their next poll.
   *
   * @throws NoTransactionException when {@code transaction} is not an open transaction
   */
  public AppendResult append(T transaction, Message message) {
    return appendAll(transaction, List.of(message)).get(0);
  }

  /** Appends many messages in one statement, in a transaction of the caller. */
  public List<AppendResult> appendAll(T transaction, List<Message> messages) {
    messages.forEach(this::checkPayload);
    Creations creations = Creations.of(tracing, messages);
    List<AppendResult> results;
    try {
      results = store.append(transaction, creations.messages(), options.deduplicateFor());
    } catch (RuntimeException | Error failed) {
      creations.failed(failed);
      throw failed;
    } finally {
      creations.end();
    }
    for (int i = 0; i < results.size(); i++) {
      observer.on(OutboxSignal.appended(messages.get(i), results.get(i)));
    }
    wakeUpAfterCommitOf(transaction, results);
    return results;
  }

  /**
   * Appends after taking a lock on the message's destination and key, which is held until the
   * transaction ends. So transactions that append with the same key wait for each other, and their
   * messages arrive in that order. Use it where no lock on a business row does the same.
   *
   * <p>Two transactions that append several keys in several calls should use the same order of
   * keys, or the database may end one of them because of a deadlock. Within one call the order is
   * always the same.
   *
   * @throws NoTransactionException when this thread has no transaction
   * @throws IllegalStateException when the store keeps no order
   */
  public AppendResult orderedAppend(Message message) {
    return orderedAppendAll(List.of(message)).get(0);
  }

  /** Appends many messages after locking all their keys. */
  public List<AppendResult> orderedAppendAll(List<Message> messages) {
    return orderedAppendAll(currentTransaction(), messages);
  }

  /** Appends like {@link #orderedAppend(Message)}, in a transaction of the caller. */
  public AppendResult orderedAppend(T transaction, Message message) {
    return orderedAppendAll(transaction, List.of(message)).get(0);
  }

  /** Appends many messages after locking all their keys, in a transaction of the caller. */
  public List<AppendResult> orderedAppendAll(T transaction, List<Message> messages) {
    if (!(store instanceof OrderedStore<T> ordered)) {
      throw new IllegalStateException(
          "orderedAppend needs a store that keeps order, and '%s' does not: open an OrderedStore,"
                  .formatted(store.name())
              + " or call append; nothing was written");
    }
    messages.forEach(this::checkPayload);
    ordered.lockKeys(
        transaction,
        messages.stream()
            .filter(message -> message.key().isPresent())
            .map(OrderKey::of)
            .collect(Collectors.toSet()));
    return appendAll(transaction, messages);
  }

  /** Wakes the relays after a commit. Never blocks and never fails. */
  public void wakeUp() {
    store.wakeUps().signal();
  }

  /** Returns the dead letters of the store. */
  public DeadLetterStore deadLetters() {
    return store.deadLetters();
  }

  private T currentTransaction() {
    T transaction =
        transactions
            .current()
            .orElseThrow(
                () ->
                    new NoTransactionException(
                        "append needs a transaction and this thread is in none, or in one whose"
                            + " commit has begun: call it before the commit, inside"
                            + " store.transactions().run(...) or a transaction of your framework"
                            + " (@Transactional), or hand the transaction over with"
                            + " append(transaction, message); nothing was written"));
    transactions.flush(transaction);
    return transaction;
  }

  /**
   * Refuses a message that {@link #append(Message)} would refuse for its size; writes nothing.
   *
   * @throws IllegalArgumentException when its payload is larger than {@link
   *     OutboxOptions#maxPayloadBytes()}
   */
  public void check(Message message) {
    checkPayload(message);
  }

  private void checkPayload(Message message) {
    int size = message.payload().size();
    if (size > options.maxPayloadBytes()) {
      throw new IllegalArgumentException(
          "the payload of message %s (%s) has %d bytes, the limit is %d: send a reference to it,"
                  .formatted(message.id(), message.type(), size, options.maxPayloadBytes())
              + " or raise OutboxOptions.maxPayloadBytes; nothing was written");
    }
  }

  private void wakeUpAfterCommitOf(T transaction, List<AppendResult> results) {
    if (results.stream().anyMatch(AppendResult.Appended.class::isInstance)) {
      transactions.afterCommitOf(transaction, this::wakeUp);
    }
  }
}
