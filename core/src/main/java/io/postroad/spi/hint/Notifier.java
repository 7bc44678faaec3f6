package io.postroad.spi.hint;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends hints to other nodes, on a thread of its own that starts with the first one. Hints that
 * come close together become one, so that hints never cost more than messages; while no node
 * listens there is one a second.
 */
final class Notifier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
  private static final long APART_MILLIS = 5;

  /** As long as relays poll: a node that begins to listen within it has just looked for itself. */
  private static final long UNHEARD_MILLIS = 1_000;

  private final HintChannel channel;
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private final AtomicBoolean wanted = new AtomicBoolean();
  private volatile boolean closed;
  private boolean failing;

  Notifier(HintChannel channel) {
    this.channel = channel;
  }

  /** Has a hint sent soon. Never blocks and never fails. */
  void request() {
    if (closed || wanted.getAndSet(true)) {
      return;
    }
    @Nullable Thread running = thread.get();
    if (running != null) {
      LockSupport.unpark(running);
      return;
    }
    Thread started = Threads.daemon("postroad-notify-" + channel.name(), this::run);
    if (thread.compareAndSet(null, started)) {
      started.start();
    }
  }

  private void run() {
    while (!left()) {
      if (wanted.getAndSet(false)) {
        Threads.pause(send() ? APART_MILLIS : UNHEARD_MILLIS, () -> closed);
      } else {
        LockSupport.park(this);
      }
    }
  }

  private boolean left() {
    return closed || Thread.currentThread().isInterrupted();
  }

  /** Returns whether a node heard the hint. */
  private boolean send() {
    try {
      boolean heard = channel.send();
      failing = false;
      return heard;
    } catch (Exception failed) {
      if (!failing && !left()) {
        LOG.warn(
            "{} {}: cannot notify other nodes, they find messages by polling: error={}",
            channel.store(),
            channel.name(),
            failed.getMessage());
      }
      failing = true;
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    @Nullable Thread running = thread.get();
    if (running != null) {
      Threads.end(running);
    }
  }
}
