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
 * Forgets what is past its retention, in bounded steps, and finds messages that are written down as
 * waiting although a person has taken them out of the retry line: those of their key would go the
 * long way for ever.
 */
public final class Housekeeper<T> implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final int STEP = 1_000;

  /** A message that was moved just now is not looked for. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  private final InboxStore<T> store;
  private final @Nullable OrderedStore<T> retries;
  private final Transactions<T> transactions;
  private final InboxOptions options;
  private final News news;

  public Housekeeper(
      InboxStore<T> store,
      @Nullable OrderedStore<T> retries,
      Transactions<T> transactions,
      InboxOptions options,
      News news) {
    this.store = store;
    this.retries = retries;
    this.transactions = transactions;
    this.options = options;
    this.news = news;
  }

  @Override
  public Duration runOnce() {
    int forgotten = store.purge(options.retention(), STEP);
    if (forgotten > 0) {
      news.forgotten(forgotten);
    }
    if (forgotten == STEP) {
      return Duration.ZERO;
    }
    findTakenOut();
    return options.purgeEvery();
  }

  void findTakenOut() {
    if (retries == null) {
      return;
    }
    Optional<UUID> after = Optional.empty();
    Set<OrderKey> held = new HashSet<>();
    List<InboxWaiting> page;
    do {
      page = store.waiting(SETTLED, after, STEP);
      if (held.size() > STEP) {
        held.clear();
      }
      for (InboxWaiting waiting : page) {
        if (hasLeft(retries, waiting, held)) {
          LOG.info(
              "{}: no longer in the retry line, its key is free; message={} order={} key={}",
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
   * One that replaced it, or waits behind it, keeps its key. A key is asked for after its message:
   * one that died in between is held by then. A held key is asked for once, however many wait for
   * it.
   */
  private static boolean hasLeft(
      OrderedStore<?> retries, InboxWaiting waiting, Set<OrderKey> held) {
    OrderKey key = OrderKey.of(waiting.order(), waiting.key());
    if (held.contains(key)) {
      return false;
    }
    Optional<MessageStatus> status = retries.find(waiting.retryId()).map(StoredMessage::status);
    boolean inLine =
        status.isPresent()
            && status.get() != MessageStatus.DISPATCHED
            && status.get() != MessageStatus.FAILED;
    if (!inLine && retries.blockedMessages().isBlocked(key)) {
      held.add(key);
    }
    return !inLine && !held.contains(key);
  }
}
