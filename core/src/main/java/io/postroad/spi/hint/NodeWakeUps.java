package io.postroad.spi.hint;

import io.postroad.spi.WakeUps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hints inside this process at once, and between nodes over a {@link HintChannel}. */
public final class NodeWakeUps implements WakeUps, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWakeUps.class);

  private final HintChannel channel;
  private final Notifier notifier;
  private final boolean acrossNodes;
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private @Nullable AutoCloseable remote;
  private boolean closed;

  private NodeWakeUps(HintChannel channel, boolean acrossNodes) {
    this.channel = channel;
    this.notifier = new Notifier(channel);
    this.acrossNodes = acrossNodes;
  }

  /** Hints go to this process and to other nodes; a thread listens while there are subscribers. */
  public static NodeWakeUps acrossNodes(HintChannel channel) {
    return new NodeWakeUps(channel, true);
  }

  /** Hints stay in this process; the channel only lends its name. */
  public static NodeWakeUps local(HintChannel channel) {
    return new NodeWakeUps(channel, false);
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
        remote = channel.listen(this::wakeLocal);
      }
    }
    return subscriber;
  }

  private void wakeLocal() {
    for (Subscriber subscriber : subscribers) {
      try {
        subscriber.listener.run();
      } catch (RuntimeException failed) {
        LOG.warn("{} {}: a wake-up listener failed", channel.store(), channel.name(), failed);
      }
    }
  }

  private void unsubscribe(Subscriber subscriber) {
    @Nullable AutoCloseable unused = null;
    synchronized (this) {
      subscribers.remove(subscriber);
      if (subscribers.isEmpty()) {
        unused = remote;
        remote = null;
      }
    }
    end(unused);
  }

  private void end(@Nullable AutoCloseable listener) {
    if (listener == null) {
      return;
    }
    try {
      listener.close();
    } catch (Exception failed) {
      LOG.debug("{} {}: closing a listener failed", channel.store(), channel.name(), failed);
    }
  }

  @Override
  public void close() {
    @Nullable AutoCloseable unused;
    synchronized (this) {
      closed = true;
      subscribers.clear();
      unused = remote;
      remote = null;
    }
    end(unused);
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
