package io.postroad.internal.inbox;

import io.postroad.inbox.HandlerContext;
import io.postroad.message.Message;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxStore.Entered;
import io.postroad.trace.Operation;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * DEDUPLICATE and HANDLE: one message, one handler, one transaction that has both the entry in the
 * inbox and what the handler wrote.
 *
 * <p>Safe to use from many threads. A crash before the commit leaves nothing; after it, the message
 * is a duplicate when it comes again. A handler without a transaction runs before its entry is
 * written: a crash between them runs it again.
 */
public final class Execution<T> {
  /** For a handler to roll back after it was interrupted. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final InboxStore<T> store;
  private final Transactions<T> transactions;
  private final HandlerWatch watch;
  private final Tracing tracing;

  public Execution(
      InboxStore<T> store, Transactions<T> transactions, HandlerWatch watch, Tracing tracing) {
    this.store = store;
    this.transactions = transactions;
    this.watch = watch;
    this.tracing = tracing;
  }

  /** Something that belongs to the transaction. */
  @FunctionalInterface
  interface Step<T> {
    void run(T transaction);
  }

  /**
   * Has a message handled, unless it was before, or others of its key wait.
   *
   * @param messageId what the handler is told; the same each time, also from the retry line, where
   *     the entry has another
   * @param after runs in the transaction after the handler
   * @param behind runs in the transaction instead of the handler, when others of its key wait
   * @throws Exception what the handler threw, or the database; nothing of either is left then
   */
  Entered run(
      Registration<T> registration,
      InboxEntry entry,
      String messageId,
      Message message,
      Step<T> after,
      Step<T> behind)
      throws Exception {
    return tracing.follow(
        () -> Operation.process(message),
        span -> unfollowed(registration, entry, messageId, message, after, behind));
  }

  private Entered unfollowed(
      Registration<T> registration,
      InboxEntry entry,
      String messageId,
      Message message,
      Step<T> after,
      Step<T> behind)
      throws Exception {
    if (registration.inTransaction()) {
      return inTransaction(
          entry,
          transaction -> {
            handle(registration, messageId, message, transaction);
            transactions.requireUnended(transaction);
            after.run(transaction);
          },
          behind::run);
    }
    return switch (store.look(entry)) {
      case DUPLICATE -> Entered.DUPLICATE;
      case BEHIND -> inTransaction(entry, behind::run, behind::run);
      case NEW -> {
        handle(registration, messageId, message, null);
        // Whoever began to wait meanwhile comes after it: it has run.
        Entered entered = inTransaction(entry, after::run, after::run);
        yield entered == Entered.BEHIND ? Entered.NEW : entered;
      }
    };
  }

  private Entered inTransaction(
      InboxEntry entry,
      Transactions.Action<T, Exception> whenNew,
      Transactions.Action<T, Exception> whenBehind)
      throws Exception {
    return transactions.<Entered, Exception>call(
        transaction -> {
          Entered entered = store.enter(transaction, entry, watch.longest().plus(GRACE));
          switch (entered) {
            case NEW -> whenNew.run(transaction);
            case BEHIND -> whenBehind.run(transaction);
            case DUPLICATE -> {}
          }
          return entered;
        });
  }

  private void handle(
      Registration<T> registration, String messageId, Message message, @Nullable T transaction)
      throws Exception {
    HandlerContext<T> context =
        new HandlerContext<>(registration.name(), messageId, transaction, () -> {});
    watch.run(registration.name(), () -> registration.handler().handle(message, context));
  }
}
