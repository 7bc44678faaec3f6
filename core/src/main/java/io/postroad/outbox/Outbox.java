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
 * Where a service puts its messages: APPEND, the first step of the outbox.
 *
 * <pre>{@code
 * store.transactions().run(connection -> {
 *   orders.insert(connection, order);
 *   outbox.append(Message.event("OrderPlaced").to("orders").key(order.customer()).json(body).build());
 * });
 * }</pre>
 *
 * <p>Every append joins the caller's transaction and fails loudly without one. Roll back, and
 * nothing happened. Commit, and the message is delivered at least once or kept as a dead letter,
 * whatever crashes next. Append after the business rows: whoever locks a row first then also
 * appends first.
 *
 * <p>Safe to use from many threads, each in its own transaction. A call that throws has written
 * nothing.
 *
 * @param <T> what a transaction of the store is, for example {@code java.sql.Connection}
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

  /** An outbox with the default options. */
  public static <T> Outbox<T> over(OutboxStore<T> store) {
    return over(store, OutboxOptions.defaults(), OutboxObserver.none());
  }

  /** An outbox with options and an observer. */
  public static <T> Outbox<T> over(
      OutboxStore<T> store, OutboxOptions options, OutboxObserver observer) {
    return over(store, store.transactions(), options, observer);
  }

  /**
   * The same outbox, whose appends are followed: each message is stored with the context of its
   * creation, unless it brings one.
   */
  public Outbox<T> tracedBy(Tracing newTracing) {
    return new Outbox<>(store, transactions, options, observer, newTracing);
  }

  /**
   * An outbox in units of work other than the store's own, on the same database: those of a
   * framework.
   */
  public static <T> Outbox<T> over(
      OutboxStore<T> store,
      Transactions<T> transactions,
      OutboxOptions options,
      OutboxObserver observer) {
    return new Outbox<>(store, transactions, options, observer, Tracing.none());
  }

  /**
   * Appends in the unit of {@link OutboxStore#transactions()}, or of those that this outbox was
   * given, that this thread is in, and wakes the relays when it has committed.
   *
   * @throws NoTransactionException when this thread is in none
   */
  public AppendResult append(Message message) {
    return appendAll(List.of(message)).get(0);
  }

  /** {@link #append(Message)} for many messages, in one statement; one result each, in order. */
  public List<AppendResult> appendAll(List<Message> messages) {
    return appendAll(currentTransaction(), messages);
  }

  /**
   * Appends in a transaction of the caller. Unless it is the current unit of {@link
   * OutboxStore#transactions()}, nobody can tell when it commits: call {@link #wakeUp()} after the
   * commit, or the relays find the message at their next poll.
   *
   * @throws NoTransactionException when {@code transaction} is not an open transaction
   */
  public AppendResult append(T transaction, Message message) {
    return appendAll(transaction, List.of(message)).get(0);
  }

  /** {@link #append(Object, Message)} for many messages, in one statement. */
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
   * {@link #append(Message)} for callers whose transactions do not wait for each other by
   * themselves: it first takes a lock on the message's destination and key, held until the
   * transaction ends, so that transactions that append with the same key come one after the other,
   * and their messages arrive in that order.
   *
   * <p>Two transactions that append several keys in several calls should do so in the same order,
   * or one of them may end as the victim of a deadlock; within one call the order is taken care of.
   *
   * @throws NoTransactionException when this thread is in none
   * @throws IllegalStateException when the store keeps no order
   */
  public AppendResult orderedAppend(Message message) {
    return orderedAppendAll(List.of(message)).get(0);
  }

  /** {@link #orderedAppend(Message)} for many messages. */
  public List<AppendResult> orderedAppendAll(List<Message> messages) {
    return orderedAppendAll(currentTransaction(), messages);
  }

  /** {@link #orderedAppend(Message)} in a transaction of the caller. */
  public AppendResult orderedAppend(T transaction, Message message) {
    return orderedAppendAll(transaction, List.of(message)).get(0);
  }

  /** {@link #orderedAppend(Object, Message)} for many messages. */
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

  /** Tells the relays that something was committed. Never blocks and never fails. */
  public void wakeUp() {
    store.wakeUps().signal();
  }

  /** Returns the dead letters of its store. */
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
