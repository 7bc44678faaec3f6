package io.postroad.internal.inbox;

import io.postroad.inbox.Inbox;
import io.postroad.inbox.InboxOptions;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxWaiting;
import io.postroad.spi.OrderedStore;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes entries past their retention, in bounded steps. Also releases the key of a waiting
 * message that an operator has removed from the retry line. Without that, all later messages of the
 * key would go through the retry line for ever.
 */
public final class InboxSweeper<T> implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final int STEP = 1_000;

  /** Excludes messages that were moved just now. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  private final InboxStore<T> store;
  private final @Nullable OrderedStore<T> retries;
  private final Transactions<T> transactions;
  private final InboxOptions options;
  private final InboxEvents events;

  public InboxSweeper(
      InboxStore<T> store,
      @Nullable OrderedStore<T> retries,
      Transactions<T> transactions,
      InboxOptions options,
      InboxEvents events) {
    this.store = store;
    this.retries = retries;
    this.transactions = transactions;
    this.options = options;
    this.events = events;
  }

  @Override
  public Duration runOnce() {
    int forgotten = store.purge(options.retention(), STEP);
    if (forgotten > 0) {
      events.forgotten(forgotten);
    }
    if (forgotten == STEP) {
      return Duration.ZERO;
    }
    releaseRemoved();
    return options.purgeEvery();
  }

  void releaseRemoved() {
    if (retries == null) {
      return;
    }
    Optional<UUID> after = Optional.empty();
    Set<OrderKey> blocked = new HashSet<>();
    List<InboxWaiting> page;
    do {
      page = store.waiting(SETTLED, after, STEP);
      if (blocked.size() > STEP) {
        blocked.clear();
      }
      for (InboxWaiting waiting : page) {
        if (hasLeft(retries, waiting, blocked)) {
          LOG.info(
              "{}: the waiting message left the retry line, its key is released; message={}"
                  + " order={} key={}",
              options.name(),
              waiting.retryId(),
              waiting.order(),
              waiting.key());
          transactions.run(transaction -> store.left(transaction, waiting.retryId()));
        }
        after = Optional.of(waiting.retryId());
      }
    } while (page.size() == STEP);
  }

  /**
   * Returns whether a message has left the retry line and no other message blocks its key. A
   * message that replaced it or waits behind it keeps the key blocked. The message is read before
   * its key: if it dies in between, the key is already blocked. Blocked keys are remembered, so
   * that each is read once per pass.
   */
  private static boolean hasLeft(
      OrderedStore<?> retries, InboxWaiting waiting, Set<OrderKey> blocked) {
    OrderKey key = OrderKey.of(waiting.order(), waiting.key());
    if (blocked.contains(key)) {
      return false;
    }
    Optional<MessageStatus> status = retries.find(waiting.retryId()).map(StoredMessage::status);
    boolean inLine =
        status.isPresent()
            && status.get() != MessageStatus.DISPATCHED
            && status.get() != MessageStatus.FAILED;
    if (!inLine && retries.blockedMessages().isBlocked(key)) {
      blocked.add(key);
    }
    return !inLine && !blocked.contains(key);
  }
}
