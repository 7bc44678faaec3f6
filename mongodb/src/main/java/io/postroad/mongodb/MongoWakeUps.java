package io.postroad.mongodb;

import io.postroad.mongodb.MongoOptions.WakeUpMode;
import io.postroad.store.WakeUps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hints inside this process at once, and between nodes over a change stream. */
final class MongoWakeUps implements WakeUps, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MongoWakeUps.class);

  private final SignalDocument signal;
  private final Notifier notifier;
  private final boolean acrossNodes;
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private @Nullable SignalListener remote;
  private boolean closed;

  MongoWakeUps(Database database, MongoOptions options) {
    signal = new SignalDocument(database);
    notifier = new Notifier(signal);
    acrossNodes = options.wakeUpMode() == WakeUpMode.CHANGE_STREAM;
  }

  @Override
  public void signal() {
    wakeLocal();
    if (acrossNodes) {
      notifier.request();
    }
  }

  @Override
  public Subscription subscribe(Runnable listener) {
    Subscriber subscriber = new Subscriber(listener);
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("this store is closed; subscribe before it is closed");
      }
      subscribers.add(subscriber);
      if (acrossNodes && remote == null) {
        remote = new SignalListener(signal, this::wakeLocal);
        remote.start();
      }
    }
    return subscriber;
  }

  private void wakeLocal() {
    for (Subscriber subscriber : subscribers) {
      try {
        subscriber.listener.run();
      } catch (RuntimeException failed) {
        LOG.warn("mongodb {}: a wake-up listener failed", signal.name(), failed);
      }
    }
  }

  private void unsubscribe(Subscriber subscriber) {
    @Nullable SignalListener unused = null;
    synchronized (this) {
      subscribers.remove(subscriber);
      if (subscribers.isEmpty()) {
        unused = remote;
        remote = null;
      }
    }
    if (unused != null) {
      unused.close();
    }
  }

  @Override
  public void close() {
    @Nullable SignalListener unused;
    synchronized (this) {
      closed = true;
      subscribers.clear();
      unused = remote;
      remote = null;
    }
    if (unused != null) {
      unused.close();
    }
    notifier.close();
  }

  private final class Subscriber implements Subscription {
    private final Runnable listener;

    Subscriber(Runnable listener) {
      this.listener = listener;
    }

    @Override
    public void close() {
      unsubscribe(this);
    }
  }
}
