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
 * DEDUPLICATE and HANDLE: runs one handler for one message. The entry in the inbox and the writes
 * of the handler share one transaction.
 *
 * <p>Thread-safe. A crash before the commit leaves nothing behind. After the commit the message is
 * a duplicate if it is delivered again. A handler without a transaction runs before its entry is
 * written, so a crash between the two runs it again.
 */
public final class Execution<T> {
  /** Time in which a handler can roll back after its interrupt. */
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

  /** Work inside the transaction. */
  @FunctionalInterface
  interface Step<T> {
    void run(T transaction);
  }

  /**
   * Handles a message, unless it is a duplicate or earlier messages of its key wait.
   *
   * @param messageId the id that the handler sees; the same for each attempt, although a message of
   *     the retry line has another entry
   * @param after runs in the transaction after the handler
   * @param behind runs in the transaction instead of the handler if earlier messages of the key
   *     wait
   * @throws Exception the failure of the handler or of the database; nothing is written then
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
        span -> untraced(registration, entry, messageId, message, after, behind));
  }

  private Entered untraced(
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
        // Messages that began to wait meanwhile come later: this one has already been handled.
        Entered entered = inTransaction(entry, after::run, after::run);
        yield entered == Entered.BEHIND ? Entered.NEW : entered;
      }
    };
  }

  /**
   * Enters a message without running its handler.
   *
   * @param whenFirst runs in the transaction, unless the message is a duplicate
   * @return false if the message is a duplicate
   */
  boolean enter(InboxEntry entry, Step<T> whenFirst) {
    return transactions.call(
        transaction -> {
          boolean isFirst = store.enter(transaction, entry) != Entered.DUPLICATE;
          if (isFirst) {
            whenFirst.run(transaction);
          }
          return isFirst;
        });
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
